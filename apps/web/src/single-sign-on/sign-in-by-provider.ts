import { instant } from "@svc/domain";
import { type Database, generateSecret, sha256, uuidV7 } from "@svc/persistence";
import { findOrLinkUser, type Joining, joinByIdentity, type UserIdentity } from "@svc/persistence/access";
import { actingAs } from "@svc/persistence/audit-events";
import { hashPassword } from "@svc/persistence/sessions";
import type { ProviderClaims } from "./openid-provider.ts";
import type { ProviderConfig } from "./provider-config.ts";
import type { SignInFailure } from "./provider-failure.ts";

interface SignedIn {
  readonly userId: string;
  /** The page after the sign-in. */
  readonly next: string;
}

const home = "/shipments";
const invitationPath = /^\/join\/([\w-]{43})$/;

const refused = (reason: string, problem: string): SignInFailure => ({ status: 403, reason, problem });

/** Returns why the address of the user cannot sign in; null: it can. */
function emailRefusal({ label, domains }: ProviderConfig, claims: ProviderClaims): SignInFailure | null {
  const { email, isEmailVerified } = claims;
  if (email === null || email.length > 254) {
    return refused("email_missing", `${label} states no email address of yours. Ask the operator of this service.`);
  }
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  if (!domains.includes(domain)) {
    const allowed = domains.map((one) => `@${one}`).join(", ");
    return refused("email_domain", `Only addresses of ${allowed} sign in with ${label}. Yours is ${email}.`);
  }
  if (isEmailVerified) return null;
  return refused("email_not_verified", `${label} has not verified your address ${email}. Verify it there first.`);
}

/** The invitation whose link led to the sign-in comes before the account that is open for all users of the provider. */
function findJoinings({ join }: ProviderConfig, next: string): Joining[] {
  const secret = invitationPath.exec(next)?.[1];
  const invitation = secret === undefined ? [] : [{ invitationSha256: sha256(secret) }];
  return join ? [...invitation, join] : invitation;
}

/** Hash of a random password, which is not kept. The user may choose one by the link for a lost password. */
const createPasswordHash = (): Promise<string> => hashPassword(generateSecret());

async function joinBy(
  database: Database,
  identity: UserIdentity,
  joinings: readonly Joining[],
): Promise<string | null> {
  const userId = uuidV7.next();
  const passwordHash = await createPasswordHash();
  for (const joining of joinings) {
    const user = { userId, passwordHash, now: instant(Date.now()) };
    const hasJoined = await actingAs({ type: "user", userId }, () => joinByIdentity(database, identity, joining, user));
    if (hasJoined) return userId;
  }
  return null;
}

/** The user of these claims. Links and creates users as the provider is configured. */
export async function signInByProvider(
  database: Database,
  config: ProviderConfig,
  claims: ProviderClaims,
  next: string,
): Promise<SignedIn | SignInFailure> {
  const refusal = emailRefusal(config, claims);
  if (refusal) return refusal;
  const { issuer, subject } = claims;
  const identity: UserIdentity = { issuer, subject, email: claims.email ?? "" };
  const { label } = config;

  let found = await findOrLinkUser(database, identity, createPasswordHash);
  const joinings = findJoinings(config, next);
  if (found === "unknown" && joinings.length > 0) {
    const userId = await joinBy(database, identity, joinings);
    // The invitation is used up.
    if (userId !== null) return { userId, next: invitationPath.test(next) ? home : next };
    // Perhaps another request of this user was faster.
    found = await findOrLinkUser(database, identity, createPasswordHash);
  }
  if (found === "unknown") {
    const problem = `No user has the address ${identity.email}. Ask an owner of your account for an invitation.`;
    return refused("unknown_user", problem);
  }
  if (found === "other_subject") {
    const problem = `The address ${identity.email} belonged to another user at ${label}. Ask the operator of this service.`;
    return refused("other_subject", problem);
  }
  return { ...found, next };
}
