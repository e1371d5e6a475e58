import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { World } from "../world.ts";

/** Asks for a value on the terminal; a secret is not shown while it is typed. */
export async function askValue(world: World, question: string, isSecret: boolean): Promise<string> {
  world.writeError(isSecret ? `${question} (not shown): ` : `${question}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const shown = new Writable({
    write(chunk, _encoding, done) {
      world.writeError(String(chunk));
      done();
    },
  });
  const terminal = createInterface({ input: world.input, output: isSecret ? silent : shown, terminal: true });
  try {
    return (await terminal.question("", { signal: world.signal })).trim();
  } finally {
    terminal.close();
    world.writeError("\n");
  }
}
