import type { Readable } from "node:stream";

/** The program's access to the machine: tests supply another one, and only `main.ts` touches the process. */
export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  /** Id of the user, whose files are trusted; undefined on systems without such ids. */
  readonly userId: number | undefined;
  readonly input: Readable & { readonly isTTY?: boolean };
  /** Resolves once more may be written. */
  write(text: string): Promise<void>;
  writeError(text: string): void;
  /** Whether a person reads stdout. */
  readonly isTerminal: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Runs another program with this terminal; its exit code, or undefined when there is no such program. */
  run(program: string, args: readonly string[]): Promise<number | undefined>;
}
