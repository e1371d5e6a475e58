import fs from "node:fs";
import path from "node:path";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import type { ProcessContext } from "../process-context.ts";

/** A token and the only address that it is sent to. */
export interface Login {
  readonly token: string;
  readonly baseUrl: string;
}

/** `svc/login.json` in the user's configuration folder. */
export function loginFile({ environment, home }: Pick<ProcessContext, "environment" | "home">): string {
  return path.join(environment.XDG_CONFIG_HOME || path.join(home, ".config"), "svc", "login.json");
}

export function readLogin(file: string): Login | undefined {
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CliError(exitCodes.usage, `${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const { token, baseUrl } = JSON.parse(text) as Partial<Login>;
    if (typeof token === "string" && typeof baseUrl === "string") return { token, baseUrl };
  } catch {
    // Malformed JSON: the error below.
  }
  throw new CliError(exitCodes.usage, `${file} holds no login; \`svc login\` replaces it, \`svc logout\` removes it.`);
}

/** Written whole under another name first; no other user can read it at any moment. */
export function writeLogin(file: string, login: Login): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.rmSync(`${file}.new`, { force: true });
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  fs.renameSync(`${file}.new`, file);
}

/** Whether there was one. */
export function removeLogin(file: string): boolean {
  const existed = fs.existsSync(file);
  fs.rmSync(file, { force: true });
  return existed;
}
