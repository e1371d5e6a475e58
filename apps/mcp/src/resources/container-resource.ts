import type { CallToolResult, ReadResourceResult } from "@modelcontextprotocol/server";
import type { Caller } from "../api/caller.ts";
import { errorCodes, invalidParams, ProtocolError } from "../protocol/protocol-error.ts";
import { getContainer } from "../tools/get-container.ts";

const prefix = "svc://container/";
const numberLengthMax = 64;

export const containerTemplate = {
  uriTemplate: `${prefix}{id}`,
  name: "container",
  title: "Container",
  description: "One container with its shipment and terminal: the same facts as get_container.",
  mimeType: "application/json",
};

/** The id or number that ends a URI with this prefix; undefined when it is another resource's, or none. */
export function lastPathSegment(uri: string, prefix: string): string | undefined {
  if (!uri.startsWith(prefix)) return undefined;
  try {
    const part = decodeURIComponent(uri.slice(prefix.length));
    return part === "" || part.length > numberLengthMax || part.includes("/") ? undefined : part;
  } catch {
    return undefined;
  }
}

/** The id, number or reference in a container's URI; undefined when it is another resource's. */
export const containerInUri = (uri: string): string | undefined => lastPathSegment(uri, prefix);

/** The result of a tool as a resource. Undefined: it found no such record. */
export function toResourceResult(uri: string, result: CallToolResult): ReadResourceResult | undefined {
  if (!result.isError) {
    return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(result.structuredContent) }] };
  }
  const failure = result._meta?.["svc/error"] as { code: string; retryable: boolean };
  if (failure.code === "not_found") return undefined;
  const [block] = result.content;
  const message = block?.type === "text" ? block.text : failure.code;
  throw failure.retryable ? new ProtocolError(errorCodes.internal, message, failure) : invalidParams(message);
}

/**
 * Reads a container by its id or number. `uri`: that of the result; default: by the id. Undefined: no such container.
 */
export async function readContainer(
  input: string,
  caller: Caller,
  uri?: string,
): Promise<ReadResourceResult | undefined> {
  const result = await getContainer.call({ id: input, include: ["shipment", "pod_terminal"] }, caller);
  const { container } = (result.structuredContent ?? {}) as { container?: { id: string } };
  return toResourceResult(uri ?? `${prefix}${container?.id ?? input}`, result);
}
