import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { eventually, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { repository } from "./harness/system.ts";
import { replay } from "./harness/trajectory.ts";
import { act } from "./mcp-questions/act.ts";
import { attention } from "./mcp-questions/attention.ts";
import { customerReport } from "./mcp-questions/customer-report.ts";
import { addPortfolio, type PortfolioShipment } from "./mcp-questions/portfolio.ts";
import type { Kind, QuestionContext, Questions, Rows } from "./mcp-questions/question.ts";
import { risk } from "./mcp-questions/risk.ts";
import { when } from "./mcp-questions/when.ts";
import { where } from "./mcp-questions/where.ts";
import { why } from "./mcp-questions/why.ts";

let api: ApiProcess;
let mcp: ServiceProcess;
let client: Client;
let context: QuestionContext;

const kinds: Readonly<Record<Kind, Questions>> = {
  where,
  when,
  why,
  risk,
  attention,
  "customer report": customerReport,
  act,
};

/** The tracking worker applies the exception rules to the portfolio, and ends. */
async function findExceptions(): Promise<void> {
  const worker = await startServiceProcess(path.join(repository, "apps/tracking-worker/src/main.ts"), {
    DATABASE_URL: api.databaseUrl,
    LOG_LEVEL: "warn",
  });
  try {
    await eventually("every exception check is made", async () => {
      const due = await api.database.pool.query("SELECT FROM exception_checks WHERE due_at <= now() LIMIT 1");
      return due.rowCount === 0;
    });
    const { rows } = await api.database.pool.query<{ kind: string }>("SELECT DISTINCT kind FROM exceptions");
    const kinds = ["last_free_day_over", "customs_hold", "eta_delay", "carrier_silent", "tracking_request_failed"];
    expect(rows.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds));
  } finally {
    await worker.stop();
  }
}

beforeAll(async () => {
  api = await startApiProcess();
  const { accountId, token } = api.tenants[0];
  const shipments = await addPortfolio(api.database, accountId);
  await findExceptions();
  // The shipment is of another account, so that a question that leaks would get a wrong result.
  await api.addShipment(api.tenants[1], {
    number: "MAEU999999999",
    containers: ["TCLU1234568"],
    refNumbers: ["PO-7001"],
  });
  mcp = await startServiceProcess(path.join(repository, "apps/mcp/src/main.ts"), {
    SVC_API_BASE_URL: api.baseUrl,
    LOG_LEVEL: "warn",
  });
  const headers = { Authorization: `Bearer ${token}` };
  client = new Client({ name: "questions", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", mcp.url), { requestInit: { headers } }));
  const rows: Rows = async (sql, ...values) => (await api.database.pool.query(sql, [accountId, ...values])).rows;
  const of = (kind: PortfolioShipment["kind"], nth = 0) =>
    shipments.filter((shipment) => shipment.kind === kind)[nth] as PortfolioShipment;
  context = { shipments, of, rows };
}, 240_000);
afterAll(async () => {
  await client?.close();
  await mcp?.stop();
  await api?.stop();
});

interface Played {
  readonly kind: string;
  readonly question: string;
  readonly verdict: "right" | "wrong" | "not answered";
  readonly calls: number;
  readonly tokens: number;
  readonly detail: unknown;
}

/** Arrays of results and of rows come from different realms; what counts is what they hold. */
const plain = (value: unknown): string => JSON.stringify(value);

async function play(kind: string, question: ReturnType<Questions>[number]): Promise<Played> {
  try {
    const { answer, calls, tokens } = await replay(client, { ...question, budget: { calls: 3, tokens: 3_000 } });
    const expected = await question.expected(context.rows);
    const isRight = plain(answer) === plain(expected);
    const detail = isRight ? undefined : { answer, expected };
    return { kind, question: question.question, verdict: isRight ? "right" : "wrong", calls, tokens, detail };
  } catch (error) {
    return { kind, question: question.question, verdict: "not answered", calls: 0, tokens: 0, detail: String(error) };
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test("answers at least 61 of sixty-nine questions in full and none wrongly, with a median of one call and 900 tokens [spec: mcp.tool.*]", async () => {
  const played: Played[] = [];
  for (const [kind, questions] of Object.entries(kinds)) {
    for (const question of questions(context)) played.push(await play(kind, question));
  }
  const notRight = played.filter(({ verdict }) => verdict !== "right");
  const [calls, tokens] = [played.map((one) => one.calls), played.map((one) => one.tokens)];
  const result = {
    questions: played.length,
    right: played.length - notRight.length,
    wrong: notRight.filter(({ verdict }) => verdict === "wrong").length,
    medianCalls: median(calls),
    mostCalls: Math.max(...calls),
    medianTokens: median(tokens),
    mostTokens: Math.max(...tokens),
  };
  if (process.env.MCP_QUESTIONS_PRINT) process.stdout.write(`${JSON.stringify({ result, notRight }, null, 1)}\n`);
  expect(notRight.filter(({ verdict }) => verdict === "wrong")).toEqual([]);
  expect(result).toMatchObject({ questions: 69, wrong: 0 });
  expect(result.right).toBeGreaterThanOrEqual(61);
  expect(result.medianCalls).toBeLessThanOrEqual(1);
  expect(result.mostCalls).toBeLessThanOrEqual(3);
  expect(result.medianTokens).toBeLessThanOrEqual(900);
}, 240_000);
