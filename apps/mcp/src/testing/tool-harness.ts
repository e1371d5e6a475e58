import { expect } from "@jest/globals";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import type { ReceivedRequest, WireBehaviour } from "@svc/sdk/testing";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { tools } from "../tools/catalogue.ts";
import { startFakeApi } from "./fake-api.ts";
import { startMcp, type TestMcp } from "./start-mcp.ts";

/** Result of a call; `content` is empty when it is an error. */
export interface ToolCallResult {
  readonly text: string;
  readonly error: string | undefined;
  /** Tokens of the costlier of the two channels, in OpenAI's o200k encoding. */
  readonly tokens: number;
  // biome-ignore lint/suspicious/noExplicitAny: checked against the tool's own schema before it is handed out.
  readonly content: any;
}

/** The tools behind a client of the MCP package, in front of the fake API. */
export interface ToolHarness {
  readonly mcp: TestMcp;
  /** Requests that the API received, oldest first. */
  readonly received: readonly ReceivedRequest[];
  /** Decides before the fake API does; undefined: the fake API again. */
  overrule(decide: ((request: ReceivedRequest) => WireBehaviour | undefined) | undefined): void;
  call(name: string, input?: Record<string, unknown>): Promise<ToolCallResult>;
  close(): Promise<void>;
}

const checks = new Map(
  tools.map(({ description, tokenBudget }) => [
    description.name,
    { validate: new AjvJsonSchemaValidator().getValidator(description.outputSchema as object), tokenBudget },
  ]),
);

/** Every result of every test is checked: schema, budget of both channels, and that both have the same content. */
function checked(name: string, result: CallToolResult): ToolCallResult {
  const [block] = result.content;
  const text = block?.type === "text" ? block.text : "";
  if (result.isError) {
    expect(result.structuredContent).toBeUndefined();
    expect(countTokens(text)).toBeLessThanOrEqual(120);
    return {
      text,
      error: (result._meta?.["svc/error"] as { code: string } | undefined)?.code,
      tokens: countTokens(text),
      content: {},
    };
  }
  const check = checks.get(name);
  expect(check?.validate(result.structuredContent)).toMatchObject({ valid: true });
  const tokens = Math.max(countTokens(text), countTokens(JSON.stringify(result.structuredContent)));
  expect(tokens).toBeLessThanOrEqual(check?.tokenBudget ?? 0);
  expect(JSON.parse(text.split("\n").at(-1) ?? "")).toEqual(result.structuredContent);
  return { text, error: undefined, tokens, content: result.structuredContent };
}

export async function startTools(): Promise<ToolHarness> {
  let decide: ((request: ReceivedRequest) => WireBehaviour | undefined) | undefined;
  const api = await startFakeApi((request) => decide?.(request));
  const mcp = await startMcp(api.baseUrl);
  const client: Client = await mcp.connect("svc_test_alpha");
  return {
    mcp,
    received: api.requests,
    overrule(next) {
      decide = next;
    },
    async call(name, input = {}) {
      return checked(name, (await client.callTool({ name, arguments: input })) as CallToolResult);
    },
    async close() {
      await mcp.close();
      await api.close();
    },
  };
}
