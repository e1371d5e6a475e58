import type { Result } from "@modelcontextprotocol/sdk/types.js";
import type { Tool } from "../tools/define-tool.ts";
import { ToolError, toolErrorResult } from "../tools/tool-error.ts";
import { invalidParams } from "./protocol-error.ts";
import type { Call } from "./surface.ts";

const question = "confirm";
/** Accepting is the answer: there is nothing to fill in. */
const noFields = { type: "object", properties: {} } as const;

interface Params {
  readonly name: string;
  readonly arguments?: unknown;
  readonly inputResponses?: Readonly<Record<string, unknown>> | null;
  readonly requestState?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Whether the client shows forms to its user (2026-07-28: it says so in each request; `{}` means forms). */
function showsForms({ _meta }: Params): boolean {
  const declared = Object(_meta?.["io.modelcontextprotocol/clientCapabilities"]).elicitation as object | undefined;
  if (typeof declared !== "object" || declared === null) return false;
  return "form" in declared || Object.keys(declared).length === 0;
}

const declined = (): Result =>
  toolErrorResult(
    new ToolError({
      code: "declined",
      message: "The user did not confirm. Nothing was changed. Call again only if the user asks for it.",
    }),
  );

/**
 * Asks the user before a tool changes something, if the client can (elicitation). Undefined: go on. The server keeps
 * nothing between the question and the answer: the state ties the answer to the caller's token and to the arguments.
 */
export async function confirmWrite(tool: Tool, given: object, call: Call): Promise<Result | undefined> {
  const params = given as Params;
  const message = tool.questionBefore(params.arguments);
  if (message === undefined) return undefined;
  if (call.ask) return (await call.ask(message, noFields)) ? undefined : declined();
  if (!showsForms(params)) return undefined;
  const requestState = call.caller.sign(JSON.stringify([params.name, params.arguments]));
  const answer = params.inputResponses?.[question];
  if (typeof answer === "object" && answer !== null) {
    if (params.requestState !== requestState) throw invalidParams("requestState is not that of this call.");
    return Object(answer).action === "accept" ? undefined : declined();
  }
  const elicitation = { mode: "form", message, requestedSchema: noFields };
  const inputRequests = { [question]: { method: "elicitation/create", params: elicitation } };
  return { resultType: "input_required", inputRequests, requestState };
}
