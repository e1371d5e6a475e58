import type { Result } from "@modelcontextprotocol/server";
import { errorCodes, invalidParams, ProtocolError } from "../../protocol/protocol-error.ts";
import type { Call, Surface } from "../../protocol/surface.ts";
import { inputRequired, questionnaires } from "./input-required.ts";

/**
 * The tools, prompts and resources that the conformance suite requires, behind the same transports, authentication and
 * revisions as the product. For tests only.
 */
interface Params {
  readonly name?: string;
  readonly uri?: string;
  readonly arguments?: Readonly<Record<string, string>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}
type Handler = (params: Params, call: Call) => Result | Promise<Result>;

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const image = { type: "image", data: png, mimeType: "image/png" };
const text = (value: string) => ({ type: "text", text: value });
const embedded = (uri: string, mimeType: string, value: string) => ({
  type: "resource",
  resource: { uri, mimeType, text: value },
});
const content =
  (...blocks: readonly object[]): Handler =>
  () => ({ content: blocks });

async function logged(_params: Params, { notify, envelope }: Call): Promise<Result> {
  // In 2026-07-28 a client requests messages in each request; before, once for the session.
  if (!envelope || envelope["io.modelcontextprotocol/logLevel"] !== undefined) {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await notify({ method: "notifications/message", params: { level: "info", data } });
    }
  }
  return { content: [text("Logged.")] };
}

async function progressed({ _meta }: Params, { notify }: Call): Promise<Result> {
  const progressToken = _meta?.progressToken;
  for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
    await notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
  }
  return { content: [text("Progressed.")] };
}

function missingCapability(): never {
  const data = { requiredCapabilities: { sampling: {} } };
  throw new ProtocolError(errorCodes.missingCapability, "The client must declare sampling.", data);
}

const tools: Readonly<Record<string, Handler>> = {
  test_simple_text: content(text("This is a simple text response for testing.")),
  test_image_content: content(image),
  test_audio_content: content({ type: "audio", data: wav, mimeType: "audio/wav" }),
  test_embedded_resource: content(embedded("test://embedded-resource", "text/plain", "An embedded resource.")),
  test_multiple_content_types: content(
    text("Multiple content types test:"),
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ),
  test_error_handling: () => ({ isError: true, content: [text("This tool always fails.")] }),
  test_tool_with_logging: logged,
  test_logging_tool: logged,
  test_tool_with_progress: progressed,
  test_missing_capability: missingCapability,
  test_streaming_elicitation: content(text("No question is sent on the stream.")),
  json_schema_2020_12_tool: content(text("Accepted.")),
};

const jsonSchema202012 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" } } } },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const user = (block: object) => ({ role: "user", content: block });
const prompts: Readonly<
  Record<
    string,
    { readonly takes?: readonly string[]; readonly messages: (args: Readonly<Record<string, string>>) => object[] }
  >
> = {
  test_simple_prompt: { messages: () => [user(text("This is a simple prompt for testing."))] },
  test_prompt_with_arguments: {
    takes: ["arg1", "arg2"],
    messages: ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  },
  test_prompt_with_embedded_resource: {
    takes: ["resourceUri"],
    messages: ({ resourceUri = "" }) => [
      user(embedded(resourceUri, "text/plain", "Embedded.")),
      user(text("Read it.")),
    ],
  },
  test_prompt_with_image: { messages: () => [user(image), user(text("Describe it."))] },
};

function resource(uri: string): Result {
  if (uri === "test://static-text") return { contents: [{ uri, mimeType: "text/plain", text: "Static text." }] };
  if (uri === "test://static-binary") return { contents: [{ uri, mimeType: "image/png", blob: png }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true }) }] };
  }
  throw new ProtocolError(errorCodes.invalidParams, "Resource not found", { uri });
}

const methods: Readonly<Record<string, Handler>> = {
  "tools/list": () => ({
    tools: [...Object.keys(tools), ...Object.keys(questionnaires)].map((name) => ({
      name,
      description: `Fixture ${name}`,
      inputSchema: name === "json_schema_2020_12_tool" ? jsonSchema202012 : { type: "object" },
    })),
  }),
  "tools/call": (params, call) => {
    const tool = tools[params.name ?? ""];
    if (tool) return tool(params, call);
    return inputRequired(params.name ?? "", call) ?? Promise.reject(invalidParams(`Unknown tool: ${params.name}`));
  },
  "prompts/list": () => ({
    prompts: Object.entries(prompts).map(([name, { takes = [] }]) => ({
      name,
      description: `Fixture ${name}`,
      arguments: takes.map((argument) => ({ name: argument, required: true })),
    })),
  }),
  "prompts/get": (params, call) => {
    const prompt = prompts[params.name ?? ""];
    if (prompt) return { messages: prompt.messages(params.arguments ?? {}) };
    const result = inputRequired(params.name ?? "", call);
    if (!result) throw invalidParams(`Unknown prompt: ${params.name}`);
    return result.content ? { messages: [user(text("With that context."))] } : result;
  },
  "resources/list": () => ({
    resources: ["test://static-text", "test://static-binary"].map((uri) => ({ uri, name: uri })),
  }),
  "resources/templates/list": () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template" }],
  }),
  "resources/read": ({ uri = "" }) => resource(uri),
  "resources/subscribe": () => ({}),
  "resources/unsubscribe": () => ({}),
  "logging/setLevel": () => ({}),
  "completion/complete": () => ({ completion: { values: ["test"], total: 1, hasMore: false } }),
};

export const fixtureSurface: Surface = {
  serverInfo: { name: "svc-mcp-fixture", version: "0.1.0" },
  capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
  instructions: "Fixtures of the conformance suite.",
  async handle(method, params, call) {
    const handler = methods[method];
    if (!handler) throw new ProtocolError(errorCodes.methodNotFound, `Method not found: ${method}`);
    return handler(params ?? {}, call);
  },
};
