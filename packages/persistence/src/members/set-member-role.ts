import { type MemberRole, memberRoles } from "@svc/domain/members";
import type { Database } from "../database.ts";
import type { Statement } from "../sql.ts";

/** Locks the owners' rows before they are counted, so that one of two concurrent changes keeps the last owner. */
const setRole: Statement = {
  name: "members.set-role",
  text: `
    WITH owners AS (SELECT user_id FROM memberships WHERE account_id = $1 AND role = 'owner' FOR UPDATE)
    UPDATE memberships SET role = $3 WHERE account_id = $1 AND user_id = $2
      AND (role <> 'owner' OR $3 = 'owner' OR (SELECT count(*) FROM owners) > 1)
    RETURNING user_id`,
};

/** The tokens of a member whose role is lowered are lowered with it; a higher role raises none. */
const lowerTokens: Statement = {
  name: "members.lower-tokens",
  text: `
    UPDATE api_tokens SET role = $3 WHERE account_id = $1 AND created_by_user_id = $2 AND revoked_at IS NULL
      AND array_position($4::text[], role) > array_position($4::text[], $3)`,
};

const rolesInOrder: string[] = [...memberRoles];

/**
 * Changes the role of a member, and limits the API tokens that the member created to it. False, without a change, for a
 * user who is not a member, and for the last owner.
 */
export function setMemberRole(
  database: Pick<Database, "transaction">,
  { accountId, userId, role }: { readonly accountId: string; readonly userId: string; readonly role: MemberRole },
): Promise<boolean> {
  return database.transaction(async (sql) => {
    if ((await sql.rows(setRole, [accountId, userId, role])).length === 0) return false;
    // A statement of its own: it sees the tokens that were created while the first one waited for the membership.
    await sql.execute(lowerTokens, [accountId, userId, role, rolesInOrder]);
    return true;
  });
}
