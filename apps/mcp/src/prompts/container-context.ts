import type { PromptMessage } from "@modelcontextprotocol/server";
import type { Caller } from "../api/caller.ts";
import { invalidParams } from "../protocol/protocol-error.ts";
import { readContainer } from "../resources/container-resource.ts";

/** The container as an embedded resource. Throws ProtocolError when the account has none with that id. */
export async function containerContext(id: string, caller: Caller): Promise<PromptMessage> {
  const resource = (await readContainer(id, caller))?.contents[0];
  if (!resource) throw invalidParams(`Argument container_id: no container ${id} in this account.`);
  return { role: "user", content: { type: "resource", resource } };
}
