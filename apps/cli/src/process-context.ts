import type { Readable } from "node:stream";

/** Access of the program to its process: tests supply another one, and only `main.ts` uses `process` itself. */
export interface ProcessContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  /** Id of the user, whose files are trusted; undefined on systems without such ids. */
  readonly userId: number | undefined;
  readonly input: Readable & { readonly isTTY?: boolean };
  /** Resolves once more may be written. */
  write(text: string): Promise<void>;
  writeError(text: string): void;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Runs another program with this terminal; its exit code, or undefined when there is no such program. */
  run(program: string, args: readonly string[]): Promise<number | undefined>;
}
