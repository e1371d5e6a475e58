import { isUuid } from "@svc/domain/identifiers";
import type { AuditEventResource } from "@svc/sdk";
import type { SignedInCaller } from "../access/api-clients.ts";
import type { MemberEmails } from "../account/member-emails.ts";
import { nullIfNotFound } from "../http/find-record.ts";

/** Names of records by their id. */
export type AuditNames = ReadonlyMap<string, string>;

type Find = (id: string) => Promise<string | null>;

/** The ids that the events have in an attribute, and as their subject if they are of that type. */
function idsIn(events: readonly AuditEventResource[], attributes: readonly string[], subject: string): Set<string> {
  const values = events.flatMap(({ attributes: { changes, subject_type: type, subject_id: id } }) => [
    ...attributes.flatMap((name) => {
      const change = changes[name];
      return change === undefined || "is_secret" in change ? [] : [change.from, change.to];
    }),
    ...(type === subject ? [id] : []),
  ]);
  return new Set(values.filter((value) => typeof value === "string").filter(isUuid));
}

async function namesOf(ids: ReadonlySet<string>, find: Find): Promise<readonly (readonly [string, string])[]> {
  const found = await Promise.all([...ids].map(async (id) => [id, await find(id)] as const));
  return found.flatMap(([id, name]) => (name === null ? [] : [[id, name] as const]));
}

/** Names of the customers, members and custom fields that changes have by their id; deleted ones have none. */
export async function readAuditNames(
  events: readonly AuditEventResource[],
  { api, accountId }: SignedInCaller,
  members: MemberEmails,
): Promise<AuditNames> {
  const names = await Promise.all([
    namesOf(idsIn(events, ["customer_id"], "party"), async (id) => {
      const customer = await nullIfNotFound(api.parties.get(id));
      return customer?.data.attributes.company_name ?? null;
    }),
    namesOf(idsIn(events, ["owner_user_id", "member_user_id"], "member"), (id) => members.find(accountId, id)),
    namesOf(idsIn(events, ["definition_id"], ""), async (id) => {
      const definition = await nullIfNotFound(api.customFields.getDefinition(id));
      return definition?.data.attributes.display_name ?? null;
    }),
  ]);
  return new Map(names.flat());
}
