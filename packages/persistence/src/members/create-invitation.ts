import { instant } from "@svc/domain";
import type { MemberRole } from "@svc/domain/members";
import { uuidV7 } from "../ids.ts";
import { generateSecret, sha256 } from "../secrets.ts";
import type { NewInvitation } from "./invitation-repository.ts";

const lastsMs = 7 * 86_400_000;

/** Creates an invitation for an email address, and the path of its link, which is not stored. */
export function createInvitation(
  { email, role }: { readonly email: string; readonly role: MemberRole },
  nowMs: number,
): { readonly invitation: NewInvitation; readonly path: string } {
  const secret = generateSecret();
  const invitation = {
    id: uuidV7.next(),
    email,
    role,
    tokenSha256: sha256(secret),
    createdAt: instant(nowMs),
    expiresAt: instant(nowMs + lastsMs),
  };
  return { invitation, path: `/join/${secret}` };
}
