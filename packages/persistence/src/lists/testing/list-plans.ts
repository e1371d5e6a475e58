import type { PageRequest } from "@svc/domain/lists";
import pg from "pg";
import {
  type AccountSql,
  type AccountValues,
  createConnections,
  onConnection,
  type PoolOptions,
  type Statement,
} from "../../sql.ts";
import { tenantRole } from "../../tenancy/account-connections.ts";
import { connectFor } from "../../tenancy/testing/connect-for.ts";

/** More than a page and the rare rows together, and far fewer than an account has. */
const fewRows = 300;

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** An id created at that time. */
const middle = { value: "2026-01-02T09:20:00.000Z", id: "019b7e01-b600-7000-8000-000000000001" };
const late = { ...middle, value: "2026-01-03T15:00:00.000Z" };
const positions: readonly PageRequest["position"][] = [
  { kind: "number", number: 1 },
  { kind: "after", row: middle },
  { kind: "before", row: middle },
  { kind: "after", row: late },
];

const pages = (sortBy: string): PageRequest[] =>
  [true, false].flatMap((descending) => positions.map((position) => ({ size: 20, sortBy, descending, position })));

const textOf = (value: unknown): string =>
  Array.isArray(value) ? `{${value.map((one) => JSON.stringify(String(one))).join(",")}}` : String(value);
const literal = (value: unknown): string => (value === null ? "NULL" : pg.escapeLiteral(textOf(value)));

const allNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(allNodes)];

/** Plan nodes whose work grows with the account: sequential scans, many discarded rows, sorts of many rows. */
function growing(nodes: readonly PlanNode[], tables: readonly string[]): string[] {
  return nodes.flatMap((node) => {
    const { "Node Type": type, "Relation Name": table = "", "Rows Removed by Filter": removed = 0 } = node;
    const problems: string[] = [];
    if (type === "Seq Scan" && tables.includes(table)) problems.push(`all of ${table} is read`);
    if (removed * node["Actual Loops"] > fewRows) problems.push(`${removed} rows of ${table} are read and discarded`);
    const sorted = node.Plans?.[0];
    if (type === "Sort" && (sorted?.["Actual Rows"] ?? 0) > fewRows)
      problems.push(`${sorted?.["Actual Rows"]} rows are sorted`);
    return problems;
  });
}

export interface PlanWatch {
  /**
   * Runs all filters, one at a time, in every order and from every position.
   * @returns the problems: work that grows with the account, such as a sequential scan of `tables`.
   */
  growingOf<Filters>(
    filters: Readonly<Record<string, Filters>>,
    sortKeys: readonly string[],
    list: (sql: AccountSql, filters: Filters, page: never) => Promise<unknown>,
  ): Promise<string[]>;
  /** Number of rows of `tables` that the list reads, discarded ones included, in its most expensive plan. */
  rowsRead(list: (sql: AccountSql) => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

/** Inspects the plans of lists on connections of the account. */
export function watchPlans(options: PoolOptions, watched: AccountSql, tables: readonly string[]): PlanWatch {
  const tenants = createConnections(options, tenantRole).pool;

  async function explain({ text }: Statement, values: AccountValues, mode: "custom" | "generic"): Promise<PlanNode[]> {
    return onConnection(connectFor(tenants, values[0]), async (client) => {
      const run = (sql: string) => client.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(sql);
      const explained = "EXPLAIN (ANALYZE, BUFFERS OFF, TIMING OFF, FORMAT JSON)";
      await run(`SET plan_cache_mode = force_${mode}_plan; PREPARE list AS ${text}`);
      const { rows } = await run(`${explained} EXECUTE list (${values.map(literal).join(", ")})`);
      await run("DEALLOCATE list");
      return allNodes((rows[0] as (typeof rows)[number])["QUERY PLAN"][0].Plan);
    });
  }

  /** A named statement has custom plans at first, and a generic plan when its connection has run it often. */
  async function plansOf(list: (sql: AccountSql) => Promise<unknown>): Promise<PlanNode[][]> {
    const nodes: PlanNode[][] = [];
    await list({
      async rows(statement, values) {
        // Statements before the list statement run normally.
        if (!statement.text.includes("AS capped")) return watched.rows(statement, values);
        nodes.push(await explain(statement, values, "custom"));
        if (statement.name !== "") nodes.push(await explain(statement, values, "generic"));
        return [];
      },
      execute: () => Promise.reject(new Error("A list only reads.")),
    });
    if (nodes.length === 0) throw new Error("The list sent no statement.");
    return nodes;
  }

  return {
    async growingOf(filters, sortKeys, list) {
      const found: string[] = [];
      for (const [name, filter] of Object.entries(filters)) {
        for (const page of sortKeys.flatMap(pages)) {
          const nodes = (await plansOf((sql) => list(sql, filter, page as never))).flat();
          const way = `${name} by ${page.sortBy} ${page.descending ? "descending" : "ascending"} from ${page.position.kind}`;
          found.push(...growing(nodes, tables).map((problem) => `${way}: ${problem}`));
        }
      }
      return found;
    },
    async rowsRead(list) {
      const read = (await plansOf(list)).map((nodes) =>
        nodes
          .filter((node) => tables.includes(node["Relation Name"] ?? ""))
          .map((node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]),
      );
      return Math.max(...read.map((rows) => rows.reduce((sum, each) => sum + each, 0)));
    },
    close: () => tenants.end(),
  };
}

/** Returns the page request with a position for a list whose ids are in order of creation. */
export function byId(page: PageRequest): never {
  const { position } = page;
  const row = { id: middle.id, value: middle.id };
  return { ...page, position: position.kind === "number" ? position : { ...position, row } } as never;
}
