import type { ReadResourceResult } from "@modelcontextprotocol/sdk/types.js";
import type { Caller } from "../api/caller.ts";
import { errorCodes, ProtocolError } from "../protocol/protocol-error.ts";
import { containerIdOf, containerTemplate, readContainer } from "./container-resource.ts";
import { milestoneGlossary, readGlossary } from "./milestone-glossary.ts";

/** docs/contract/specification.md, MCP resources. */
export const resources = [milestoneGlossary];
export const resourceTemplates = [containerTemplate];

/** Throws ProtocolError for a URI that names nothing here or nothing in the caller's account. */
export async function readResource(uri: string, caller: Caller): Promise<ReadResourceResult> {
  if (uri === milestoneGlossary.uri) return readGlossary();
  const id = containerIdOf(uri);
  const container = id === undefined ? undefined : await readContainer(id, caller);
  if (container) return container;
  throw new ProtocolError(errorCodes.resourceNotFound, "Resource not found", { uri });
}
