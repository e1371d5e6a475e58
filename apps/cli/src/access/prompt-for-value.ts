import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { ProcessContext } from "../process-context.ts";

/** Asks for a value on the terminal; a secret is not shown while it is typed. */
export async function promptForValue(
  context: ProcessContext,
  question: string,
  { isSecret }: { readonly isSecret: boolean },
): Promise<string> {
  context.writeError(isSecret ? `${question} (not shown): ` : `${question}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const visible = new Writable({
    write(chunk, _encoding, done) {
      context.writeError(String(chunk));
      done();
    },
  });
  const terminal = createInterface({ input: context.input, output: isSecret ? silent : visible, terminal: true });
  try {
    return (await terminal.question("", { signal: context.signal })).trim();
  } finally {
    terminal.close();
    context.writeError("\n");
  }
}
