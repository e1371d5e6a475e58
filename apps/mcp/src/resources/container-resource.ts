import type { CallToolResult, ReadResourceResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Caller } from "../api/caller.ts";
import { errorCodes, invalidParams, ProtocolError } from "../protocol/protocol-error.ts";
import { getContainer } from "../tools/get-container.ts";

const prefix = "svc://container/";
const uuid = z.uuid();

export const containerTemplate = {
  uriTemplate: `${prefix}{id}`,
  name: "container",
  title: "Container",
  description: "One container with its shipment and terminal: the same facts as get_container.",
  mimeType: "application/json",
};

function containerUri(id: string): string {
  return `${prefix}${id}`;
}

/** The id in a container's URI; undefined when it is another resource's, or no id. */
export function containerIdOf(uri: string): string | undefined {
  const id = uri.startsWith(prefix) ? uri.slice(prefix.length) : "";
  return uuid.safeParse(id).success ? id : undefined;
}

/** The result of a tool as a resource. Undefined: it found no such record. */
export function resourceOf(uri: string, result: CallToolResult): ReadResourceResult | undefined {
  if (!result.isError) {
    return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(result.structuredContent) }] };
  }
  const failure = result._meta?.["svc/error"] as { code: string; retryable: boolean };
  if (failure.code === "not_found") return undefined;
  const [block] = result.content;
  const message = block?.type === "text" ? block.text : failure.code;
  throw failure.retryable ? new ProtocolError(errorCodes.internal, message, failure) : invalidParams(message);
}

/** By its id or number. Undefined: no such container in the caller's account. */
export async function readContainer(typed: string, caller: Caller): Promise<ReadResourceResult | undefined> {
  const result = await getContainer.call({ id: typed, include: ["shipment", "pod_terminal"] }, caller);
  const { container } = (result.structuredContent ?? {}) as { container?: { id: string } };
  return resourceOf(containerUri(container?.id ?? typed), result);
}
