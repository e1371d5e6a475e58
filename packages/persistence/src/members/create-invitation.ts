import { createHash, randomBytes } from "node:crypto";
import { instant } from "@svc/domain";
import type { MemberRole } from "@svc/domain/members";
import { uuidV7 } from "../ids.ts";
import type { NewInvitation } from "./invitation-repository.ts";

const lastsMs = 7 * 86_400_000;
const secretBytes = 32;

/** Creates an invitation for an email address, and the path of its link, which is not stored. */
export function createInvitation(
  { email, role }: { readonly email: string; readonly role: MemberRole },
  nowMs: number,
): { readonly invitation: NewInvitation; readonly path: string } {
  const secret = randomBytes(secretBytes).toString("base64url");
  const invitation = {
    id: uuidV7.next(),
    email,
    role,
    tokenSha256: createHash("sha256").update(secret).digest(),
    createdAt: instant(nowMs),
    expiresAt: instant(nowMs + lastsMs),
  };
  return { invitation, path: `/join/${secret}` };
}
