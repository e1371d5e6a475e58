export type LogLevel = "debug" | "info" | "warn" | "error" | "fatal";

/** An event that is logged as a warning or worse also has what the operator does about it. */
type DescribedEvent =
  | { readonly levels: readonly ("debug" | "info")[]; readonly meaning: string }
  | { readonly levels: readonly LogLevel[]; readonly meaning: string; readonly action: string };

/** Events by their names, `subject.what_happened`. The texts are Markdown of docs/log-events.md. */
export type LogEventTable = Readonly<Record<string, DescribedEvent>>;

/** The action for events of work that is repeated and fails only with PostgreSQL. */
export const checkDatabase =
  "None if it ends by itself: the work is repeated. Otherwise look in PostgreSQL for the cause in `err`.";
