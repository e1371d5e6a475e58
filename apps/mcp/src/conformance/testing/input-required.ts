import { createHmac } from "node:crypto";
import type { Result } from "@modelcontextprotocol/server";
import { invalidParams } from "../../protocol/protocol-error.ts";
import type { Call } from "../../protocol/surface.ts";

type Question = { readonly method: string; readonly params: object };
type Round = Readonly<Record<string, Question>>;

const elicit = (message: string): Question => ({
  method: "elicitation/create",
  params: { message, requestedSchema: { type: "object", properties: { answer: { type: "string" } } } },
});
const sample: Question = {
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text: "Greet." } }], maxTokens: 50 },
};
const roots: Question = { method: "roots/list", params: {} };

/** Questions of each fixture for its client, by round, before it responds (2026-07-28: results that require input). */
export const questionnaires: Readonly<Record<string, readonly Round[]>> = {
  test_input_required_result_elicitation: [{ user_name: elicit("What is your name?") }],
  test_input_required_result_sampling: [{ capital_question: sample }],
  test_input_required_result_list_roots: [{ client_roots: roots }],
  test_input_required_result_request_state: [{ confirm: elicit("Please confirm") }],
  test_input_required_result_multiple_inputs: [{ user_name: elicit("Name?"), greeting: sample, client_roots: roots }],
  test_input_required_result_multi_round: [{ step1: elicit("Name?") }, { step2: elicit("Colour?") }],
  test_input_required_result_tampered_state: [{ confirm: elicit("Please confirm") }],
  test_input_required_result_capabilities: [{ greeting: sample, user_name: elicit("Name?") }],
  test_input_required_result_prompt: [{ user_context: elicit("What context should the prompt use?") }],
};

const requiredCapability: Readonly<Record<string, string>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

const sign = (round: number) => `${round}.${createHmac("sha256", "fixture").update(String(round)).digest("hex")}`;

/** The round to which the client responds; the server is stateless, so the state that the client returns has it. */
function roundOf(requestState: unknown): number {
  if (typeof requestState !== "string") return 0;
  const round = Number.parseInt(requestState, 10);
  if (requestState !== sign(round)) throw invalidParams("requestState is not one of this server's.");
  return round;
}

/** Undefined: no such fixture. */
export function inputRequired(name: string, { inputResponses, requestState, envelope }: Call): Result | undefined {
  const rounds = questionnaires[name];
  if (!rounds) return undefined;
  let round = roundOf(requestState);
  const names = Object.keys(rounds[round] ?? {});
  if (names.every((key) => typeof inputResponses?.[key] === "object")) round += 1;
  const next = rounds[round];
  if (!next) return { content: [{ type: "text", text: "Hello, state-ok." }] };
  const declared = Object(envelope?.["io.modelcontextprotocol/clientCapabilities"]);
  const inputRequests = Object.fromEntries(
    Object.entries(next).filter(([, { method }]) => (requiredCapability[method] ?? "") in declared),
  );
  return { resultType: "input_required", inputRequests, requestState: sign(round) };
}
