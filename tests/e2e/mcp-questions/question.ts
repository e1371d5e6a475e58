import type { ToolContent, Trajectory } from "../harness/trajectory.ts";
import type { PortfolioShipment } from "./portfolio.ts";

export type Kind = "where" | "when" | "why" | "risk" | "customer report" | "act" | "attention";

/** Rows of a statement on the account's data; `$1` is the account. */
// biome-ignore lint/suspicious/noExplicitAny: rows of many shapes.
export type Rows = (sql: string, ...values: unknown[]) => Promise<any[]>;

export interface QuestionContext {
  readonly shipments: readonly PortfolioShipment[];
  /** The n-th shipment of that kind. */
  readonly of: (kind: PortfolioShipment["kind"], nth?: number) => PortfolioShipment;
  readonly rows: Rows;
}

export interface Question {
  readonly question: string;
  readonly solve: Trajectory["solve"];
  /** The right answer, from the database; after the calls, for questions that act. */
  readonly expected: (rows: Rows) => Promise<unknown>;
}

export type Questions = (context: QuestionContext) => readonly Question[];

export const sorted = <Value>(values: readonly Value[]): Value[] => [...values].sort();
export const numbersOf = (content: ToolContent): string[] =>
  sorted(content.items.map((item: ToolContent) => item.container_number));
export const billsOf = (content: ToolContent): string[] =>
  sorted(content.items.map((item: ToolContent) => item.bill_of_lading_number));
const byName = (entries: readonly (readonly [string, number])[]): Record<string, number> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
export const groupsOf = (content: ToolContent): Record<string, number> =>
  byName(content.groups.map(({ value, count }: ToolContent) => [value, count]));
export const column = async (rows: Promise<ToolContent[]>): Promise<string[]> =>
  sorted((await rows).map((row) => String(Object.values(row)[0])));
export const counts = async (rows: Promise<ToolContent[]>): Promise<Record<string, number>> =>
  byName((await rows).map(({ value, count }) => [value ?? "none", Number(count)]));
