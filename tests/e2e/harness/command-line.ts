import { spawn } from "node:child_process";
import path from "node:path";
import { repository } from "./system.ts";

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command line. */
export interface RunningCommand {
  readonly outcome: Promise<Outcome>;
  stdout(): string;
  stderr(): string;
  interrupt(): void;
}

export interface CommandOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input?: string;
}

/** Program that `npm run svc` runs. */
export const svcSource = path.join(repository, "apps/cli/src/main.ts");
export const adminProgram = path.join(repository, "apps/admin/src/main.ts");

/** Returns only the given variables: none of the person who runs the tests. */
const environmentOf = (environment: Readonly<Record<string, string>>) => ({
  PATH: process.env.PATH ?? "",
  ...environment,
});

export function startCommand(program: string, args: readonly string[], options: CommandOptions): RunningCommand {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: environmentOf(options.environment),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  child.stdin.on("error", () => undefined).end(options.input ?? "");
  const outcome = new Promise<Outcome>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { outcome, stdout: () => stdout, stderr: () => stderr, interrupt: () => void child.kill("SIGINT") };
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** Runs a program on a pseudo-terminal of this width, as a person would see it; `script` is a program of util-linux. */
export async function onTerminal(
  program: string,
  args: readonly string[],
  columns: number,
  options: CommandOptions,
): Promise<Outcome> {
  const line = `stty cols ${columns} rows 40; exec ${[program, ...args].map(quoted).join(" ")}`;
  const { code, stdout, stderr } = await startCommand("script", ["-qec", line, "/dev/null"], options).outcome;
  return { code, stdout: stdout.replaceAll("\r\n", "\n"), stderr };
}
