import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { type ApiProcess, startApiProcess } from "./harness/api-process.ts";
import { type PublishedTool, type RandomCall, randomCalls } from "./harness/random-calls.ts";
import { repository } from "./harness/system.ts";

const callCount = Number(process.env.MCP_RANDOM_CALLS ?? 10_000);
const seed = Number(process.env.MCP_RANDOM_SEED ?? 20_261_122);
const longestMs = 60_000 + 60 * callCount;
const inTheAir = 6;
const shipmentsPerAccount = 20;

const metricsToken = "a-token-for-the-metrics";
let api: ApiProcess;
let mcp: ServiceProcess;
/** Texts that only the results of one account may hold. */
const marks = ["only-the-first", "only-the-second"] as const;
const known = { ids: [] as string[], numbers: [] as string[] };

beforeAll(async () => {
  api = await startApiProcess({
    SVC_RATE_LIMIT_REFRESH: "1000000",
    SVC_METRICS_TOKEN: metricsToken,
    SVC_RATE_LIMIT_DEFAULT: "100000000",
    SVC_RATE_LIMIT_CREATE_TRACKING_REQUEST: "100000000",
    SVC_RATE_LIMIT_INFER: "100000000",
  });
  for (const [account, tenant] of api.tenants.entries()) {
    for (let index = 0; index < shipmentsPerAccount; index++) {
      const number = `MAEU26217${account}${String(index).padStart(3, "0")}`;
      const container = `MSKU${account}${String(index).padStart(6, "0")}`;
      const { id, containerIds } = await api.addShipment(tenant, {
        number,
        containers: [container],
        dischargeLocode: index % 2 === 0 ? "USLAX" : "NLRTM",
        refNumbers: [marks[account] ?? ""],
      });
      known.ids.push(id, ...containerIds);
      known.numbers.push(number, container);
    }
  }
  mcp = await startServiceProcess(path.join(repository, "apps/mcp/src/main.ts"), {
    SVC_API_BASE_URL: api.baseUrl,
    LOG_LEVEL: "error",
  });
}, 240_000);
afterAll(async () => {
  await mcp?.stop();
  await api?.stop();
});

interface McpResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: judged member by member.
  readonly body: any;
}

async function send(token: string, method: string, params: object, id: number): Promise<McpResponse> {
  const response = await fetch(`${mcp.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "*/*", authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
  });
  return { status: response.status, body: await response.json() };
}

/** How often the API answered with each status, as it counts itself. */
async function apiStatusCounts(): Promise<ReadonlyMap<string, number>> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const metrics = await (await fetch(new URL("/metrics", api.baseUrl), { headers })).text();
  const counts = new Map<string, number>();
  for (const [, status = "", count] of metrics.matchAll(
    /^svc_api_request_duration_seconds_count\{.*status="(\d+)".*\} (\d+)$/gm,
  ))
    counts.set(status, (counts.get(status) ?? 0) + Number(count));
  return counts;
}

/** Returns the fault of a result; undefined: none. */
function faultOf(
  { kind, unknownArgument }: RandomCall,
  { status, body }: McpResponse,
  id: number,
  tool: PublishedTool | undefined,
  isValid: ((content: unknown) => boolean) | undefined,
): string | undefined {
  if (status !== 200 || body.id !== id) return "status or id";
  if (body.error) {
    if (body.error.code !== -32602 || !/^(Unknown tool|Invalid params): ./s.test(body.error.message))
      return "protocol error";
    if (tool && kind !== "malformed") return "a protocol error for a tool that exists";
    return tool || body.error.data.available.length === 12 ? undefined : "the tools there are, not named";
  }
  const { isError, content, structuredContent, _meta } = body.result;
  const text: unknown = content?.[0]?.text;
  if (content?.length !== 1 || typeof text !== "string") return "content";
  if (!isError) {
    const isNamed = text.startsWith("Ignored unknown argument") && text.includes(JSON.stringify(unknownArgument));
    if (kind === "unknown argument" && !isNamed) return "an unknown argument was dropped in silence";
    return isValid?.(structuredContent) ? undefined : "structuredContent against the published schema";
  }
  const code = _meta?.["svc/error"]?.code;
  if (!/^[a-z_]+$/.test(code) || !text.startsWith(`${code}: `) || structuredContent !== undefined)
    return "error result";
  if (["upstream_unavailable", "upstream_unreadable"].includes(code)) return `the API failed: ${text}`;
  return undefined;
}

test(
  `${callCount} random calls of two accounts at once: valid against the published schema or a well-formed error [spec: mcp.tool.*]`,
  async () => {
    const listed = await send(api.tenants[0].token, "tools/list", {}, 0);
    const tools = new Map((listed.body.result.tools as PublishedTool[]).map((tool) => [tool.name, tool]));
    const validators = new Map(
      [...tools].map(([name, { outputSchema }]) => {
        const validate = new AjvJsonSchemaValidator().getValidator(outputSchema);
        return [name, (content: unknown) => validate(content).valid];
      }),
    );
    const calls = randomCalls([...tools.values()], known, { seed, count: callCount });
    const faults: unknown[] = [];
    const outcomes = new Map<string, number>();
    let next = 0;
    const work = async () => {
      for (let index = next++; index < calls.length && faults.length < 5; index = next++) {
        const call = calls[index] as RandomCall;
        const account = index % 2;
        const { name } = call;
        const token = api.tenants[account]?.token ?? "";
        // Asked once: an answer that only a second call gives is a failure.
        const answer = await send(token, "tools/call", { name, arguments: call.input }, index);
        let fault = faultOf(call, answer, index, tools.get(name), validators.get(name));
        if (JSON.stringify(answer.body).includes(marks[1 - account] ?? "")) fault = "the other account's data";
        if (fault !== undefined) faults.push({ fault, call, answer });
        const failure = answer.body.result?._meta?.["svc/error"]?.code;
        const outcome = answer.body.error ? "protocol error" : (failure ?? `answer of ${name}`);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: inTheAir }, work));
    expect(faults).toEqual([]);
    const statuses = await apiStatusCounts();
    expect(statuses.get("200")).toBeGreaterThan(callCount / 10);
    expect([...statuses.keys()].filter((status) => status >= "500")).toEqual([]);
    // The calls were not all of one kind.
    for (const name of tools.keys())
      if (name !== "get_container_route") expect(outcomes.get(`answer of ${name}`)).toBeGreaterThan(callCount / 1_000);
    for (const code of ["invalid_arguments", "not_found", "protocol error"])
      expect(outcomes.get(code)).toBeGreaterThan(callCount / 1_000);
    // And the server still stands.
    expect((await send(api.tenants[0].token, "tools/list", {}, 1)).status).toBe(200);
  },
  longestMs,
);
