import type { ReadResourceResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Caller } from "../api/caller.ts";
import { errorCodes, ProtocolError } from "../protocol/protocol-error.ts";
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

/** Undefined: no such container in the caller's account. */
export async function readContainer(id: string, caller: Caller): Promise<ReadResourceResult | undefined> {
  const result = await getContainer.call({ id, include: ["shipment", "pod_terminal"] }, caller);
  if (!result.isError) {
    const text = JSON.stringify(result.structuredContent);
    return { contents: [{ uri: containerUri(id), mimeType: containerTemplate.mimeType, text }] };
  }
  const failure = result._meta?.["svc/error"] as { code: string };
  if (failure.code === "not_found") return undefined;
  const [block] = result.content;
  throw new ProtocolError(errorCodes.internal, block?.type === "text" ? block.text : failure.code, failure);
}
