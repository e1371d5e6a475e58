import { optionalPartMs, type SignedInCaller } from "../access/api-clients.ts";
import { orNull } from "../http/or-null.ts";
import { apiPageOf, attentionPath } from "./attention-query.ts";
import type { Queue } from "./exception-page-options.ts";
import { queueOf } from "./return-path.ts";

/**
 * The list of an address, and the neighbours of an exception on its page. After one that has left the list, such as by
 * its resolution, comes the first.
 */
export async function readQueue({ api, user }: SignedInCaller, address: string, id: string): Promise<Queue> {
  const query = queueOf(address);
  const listed = await orNull(api.exceptions.list(apiPageOf(query, user.email), { timeoutMs: optionalPartMs }));
  const items = listed?.data ?? [];
  const at = items.findIndex((one) => one.id === id);
  return { path: attentionPath(query, query), previous: items[at - 1] ?? null, next: items[at + 1] ?? null };
}
