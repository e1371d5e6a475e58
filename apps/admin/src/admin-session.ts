import type { Database } from "@svc/persistence";
import type { Administration } from "@svc/persistence/administration";

export interface AdminContext {
  readonly databaseUrl: string | undefined;
  /** SVC_CARRIERS of the tracking worker. */
  readonly carriers: string | undefined;
  /** Variables of the process, for `config`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  write(text: string): void;
  writeError(text: string): void;
  isTerminal: boolean;
}

/** The environment that a command of `svc-admin` runs in. */
export interface AdminSession {
  readonly context: AdminContext;
  /** Connects when it is first asked for, so that `--help` needs no database. */
  database(): Database;
  administration(): Administration;
  /** Ends the program with this code, although the command did its work. */
  end(exitCode: number): void;
}
