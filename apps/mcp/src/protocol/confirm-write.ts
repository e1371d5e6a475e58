import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  inputRequired,
  type Result,
} from "@modelcontextprotocol/server";
import type { Tool } from "../tools/shared/define-tool.ts";
import { ToolError, toolErrorResult } from "../tools/shared/tool-error.ts";
import { invalidParams } from "./protocol-error.ts";
import type { Call } from "./surface.ts";

const confirmation = "confirm";
/** The user accepts or declines, and fills in nothing. */
const noFields = { type: "object", properties: {} } as const;

/** Whether a client that declares this capability shows forms to its user; `{}` means forms. */
export function showsForms(elicitation: object | undefined): boolean {
  return elicitation !== undefined && ("form" in elicitation || Object.keys(elicitation).length === 0);
}

const refused = (message: string): Result => toolErrorResult(new ToolError({ code: "declined", message }));

const declined = () =>
  refused("The user did not confirm. Nothing was changed. Call again only if the user asks for it.");

/** Asks the user during the call (revisions before 2026-07-28). Undefined: the user agreed. */
async function elicitConfirmation(elicit: NonNullable<Call["elicit"]>, message: string): Promise<Result | undefined> {
  try {
    return (await elicit(message, noFields)) ? undefined : declined();
  } catch {
    return refused(
      "The client did not put the question to its user, so nothing was changed. Show the user what would change, and call " +
        "again when they agree.",
    );
  }
}

/**
 * Asks the user before a tool changes something, if the client can (elicitation). Undefined: go on. In 2026-07-28 the
 * server keeps nothing between the elicitation and its response: the state ties the response to the caller's token and
 * to the arguments.
 */
export async function confirmWrite(
  tool: Tool,
  { name, arguments: input }: { readonly name: string; readonly arguments?: unknown },
  call: Call,
): Promise<Result | undefined> {
  const message = tool.questionBefore(input);
  if (message === undefined) return undefined;
  if (call.elicit) return elicitConfirmation(call.elicit, message);
  const declared = call.envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  if (!showsForms(declared?.elicitation)) return undefined;
  const requestState = call.caller.sign(JSON.stringify([name, input]));
  const response = call.inputResponses?.[confirmation];
  if (response !== undefined) {
    if (call.requestState !== requestState) throw invalidParams("requestState is not that of this call.");
    return Object(response).action === "accept" ? undefined : declined();
  }
  const request = inputRequired.elicit({ message, requestedSchema: noFields });
  return inputRequired({ inputRequests: { [confirmation]: request }, requestState });
}
