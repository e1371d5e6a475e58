import type { AdminContext } from "../admin-session.ts";
import { runAdmin } from "../run-admin.ts";

/** Runs one command line of svc-admin in this process and returns all that it printed. */
export async function runCommand(args: readonly string[], context: Partial<AdminContext> = {}) {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const code = await runAdmin(args, {
    databaseUrl: undefined,
    carriers: undefined,
    environment: {},
    isTerminal: false,
    ...context,
    write: (text) => void stdout.push(text),
    writeError: (text) => void stderr.push(text),
  });
  return { code, stdout: stdout.join(""), stderr: stderr.join("") };
}
