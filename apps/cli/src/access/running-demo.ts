import fs from "node:fs";
import path from "node:path";
import type { ProcessContext } from "../process-context.ts";
import type { Login } from "./login-file.ts";

export interface RunningDemo extends Login {
  readonly file: string;
  /** Address of the sandbox carrier. */
  readonly sandbox: string | undefined;
}

/**
 * The installation that `npm start` runs in this folder or a parent; `.svc/runtime.json` of its launcher has its
 * addresses, while it runs. A file of another user is not trusted: it decides where requests go.
 */
export function runningDemo({ cwd, userId }: Pick<ProcessContext, "cwd" | "userId">): RunningDemo | undefined {
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    const file = path.join(folder, ".svc", "runtime.json");
    try {
      const isOwn = userId === undefined || fs.statSync(file).uid === userId;
      const { token, apiBaseUrl, sandbox } = JSON.parse(fs.readFileSync(file, "utf8")) as {
        token?: string;
        apiBaseUrl?: string;
        sandbox?: string;
      };
      if (isOwn && token && apiBaseUrl) return { token, baseUrl: apiBaseUrl, sandbox, file };
    } catch {
      // No readable runtime file in this folder: its parent is next.
    }
    if (folder === path.dirname(folder)) return undefined;
  }
}
