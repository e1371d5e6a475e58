import { type MemberRole, memberRoles } from "@svc/domain/members";
import {
  createPasswordReset,
  passwordAllowedMinutes,
  passwordResetMinutes,
  resetSecondFactor,
  unlinkIdentities,
} from "@svc/persistence/access";
import {
  createInvitation,
  createInvitationRepository,
  createMemberRepository,
  type Member,
  removeMember,
  setMemberRole,
} from "@svc/persistence/members";
import { createOperatorRecords } from "@svc/persistence/operations";
import { createAccountTokenRepository } from "@svc/persistence/tokens";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { AdminError, noAccount } from "../admin-error.ts";
import type { AdminSession } from "../admin-session.ts";
import { parseId } from "../parse-id.ts";
import { showRows } from "../show-rows.ts";

function parseEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text) || text.length > 254) throw new InvalidArgumentError("Give an email address.");
  return text;
}

function parseHttpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text)) throw new InvalidArgumentError("Give an http or https address.");
  return text.replace(/\/+$/, "");
}

/** Reads SVC_APP_URL as the services do; an empty variable counts as absent. */
function configuredAddress(address: string | undefined): string {
  if (!address?.trim()) return "http://localhost:4002";
  try {
    return parseHttpUrl(address.trim());
  } catch {
    throw new AdminError(2, "SVC_APP_URL must be an http or https address.");
  }
}

const appUrlOption = (): Option =>
  new Option(
    "--app-url <address>",
    "of the web application; default: SVC_APP_URL, else http://localhost:4002",
  ).argParser(parseHttpUrl);

interface Membership {
  readonly accountId: string;
  readonly userId: string;
}

async function findMember(session: AdminSession, { accountId, userId }: Membership): Promise<Member> {
  const member = await createMemberRepository(session.database().sql).find(accountId, userId);
  if (member !== null) return member;
  throw new AdminError(4, `Account ${accountId} has no user ${userId}; \`svc-admin users list\` shows all.`);
}

interface RemoveOptions {
  readonly revokeTokens?: boolean;
}

async function removeUser(session: AdminSession, membership: Membership, options: RemoveOptions): Promise<void> {
  const { accountId, userId } = membership;
  const { revokeTokens = false } = options;
  const database = session.database();
  const { email } = await findMember(session, membership);
  const tokens = await createAccountTokenRepository(database.sql).listOfCreator(accountId, userId);
  const revoked = revokeTokens ? tokens.map(({ id }) => id) : [];
  if (!(await removeMember(database, membership, revoked)))
    throw new AdminError(1, `${email} is the last owner of the account. Invite another owner first.`);
  session.context.writeError(`Removed ${email} from account ${accountId}.\n`);
  if (revokeTokens) session.context.writeError(`Revoked ${revoked.length} API tokens of ${email}.\n`);
  else if (tokens.length > 0) {
    const names = tokens.map(({ id, name, hint }) => `  ${id}  ${name} (…${hint})\n`).join("");
    session.context.writeError(`API tokens that ${email} created keep working:\n${names}`);
  }
}

async function changeRole(session: AdminSession, membership: Membership, role: MemberRole): Promise<void> {
  const { email } = await findMember(session, membership);
  if (!(await setMemberRole(session.database(), { ...membership, role })))
    throw new AdminError(1, `${email} is the last owner of the account. Make another member owner first.`);
  session.context.writeError(`${email} is now ${role} of account ${membership.accountId}.\n`);
}

interface InviteOptions {
  readonly role: MemberRole;
  readonly appUrl?: string;
}

async function invite(session: AdminSession, accountId: string, email: string, options: InviteOptions): Promise<void> {
  const { role, appUrl } = options;
  const address = appUrl ?? configuredAddress(session.context.environment.SVC_APP_URL);
  if (!(await session.administration().findAccount(accountId))) throw noAccount(accountId);
  const { invitation, path } = createInvitation({ email, role }, Date.now());
  await createInvitationRepository(session.database().sql).create(accountId, invitation);
  session.context.writeError(`Until ${invitation.expiresAt}, once, for ${email} as ${role}:\n`);
  session.context.write(`${address}${path}\n`);
}

async function resetPassword(session: AdminSession, email: string, appUrl: string | undefined): Promise<void> {
  const address = appUrl ?? configuredAddress(session.context.environment.SVC_APP_URL);
  const reset = await createPasswordReset(session.database().sql, email);
  if (reset === null) throw new AdminError(4, `No user with the email address ${email} can sign in.`);
  session.context.writeError(`Within ${passwordResetMinutes} minutes, once, for ${reset.email}:\n`);
  session.context.write(`${address}${reset.path}\n`);
}

async function resetTotp(session: AdminSession, email: string): Promise<void> {
  const reset = await resetSecondFactor(session.database().sql, email);
  if (reset === null) throw new AdminError(4, `No user has the email address ${email}.`);
  const outcome = reset.wasOn ? "Turned off" : "There was no";
  session.context.writeError(`${outcome} two-factor authentication of ${reset.email}.\n`);
}

async function unlinkProviders(session: AdminSession, email: string): Promise<void> {
  const unlinked = await unlinkIdentities(session.database().sql, email);
  if (unlinked === null) throw new AdminError(4, `No user has the email address ${email}.`);
  const outcome =
    unlinked.removed > 0
      ? `Unlinked ${unlinked.email}. The next sign-in by a provider links it again.`
      : `There was no provider linked to ${unlinked.email}.`;
  session.context.writeError(`${outcome}\n`);
}

interface ResetOptions {
  readonly totp?: true;
  readonly identities?: true;
  readonly appUrl?: string;
}

export function addUserCommands(program: Command, session: AdminSession): void {
  const users = program.command("users").description("Manage the users of accounts.");
  users
    .command("list")
    .description("List users with the account and role of each.")
    .option("--account <id>", "only this account", parseId)
    .action(async ({ account }: { account?: string }) => {
      showRows(session.context, await createOperatorRecords(session.database()).listUsers(account));
    });
  users
    .command("remove")
    .description(
      "Remove a user from an account. One without another account is deleted with all sessions; the last owner stays.",
    )
    .argument("<account>", "account id", parseId)
    .argument("<user>", "user id", parseId)
    .option("--revoke-tokens", "revoke the API tokens that the user created, which otherwise keep working")
    .action((accountId: string, userId: string, options: RemoveOptions) =>
      removeUser(session, { accountId, userId }, options),
    );
  users
    .command("set-role")
    .description(
      "Change the role of a member. API tokens that the member created are limited to it; the last owner stays.",
    )
    .argument("<account>", "account id", parseId)
    .argument("<user>", "user id", parseId)
    .addArgument(new Argument("<role>", "the new role").choices(memberRoles))
    .action((accountId: string, userId: string, role: MemberRole) => changeRole(session, { accountId, userId }, role));
  users
    .command("invite")
    .description("Create an invitation link to an account, valid once. It is printed alone on stdout.")
    .argument("<account>", "account id", parseId)
    .argument("<email>", "e-mail address to invite", parseEmail)
    .addOption(new Option("--role <role>").choices(memberRoles).default("owner"))
    .addOption(appUrlOption())
    .action((accountId: string, email: string, options: InviteOptions) => invite(session, accountId, email, options));
  users
    .command("reset")
    .description(
      "Create a link by which a user who forgot the password chooses a new one, valid once. It is printed alone on stdout. " +
        `An owner may then sign in with it for ${passwordAllowedMinutes} minutes, also where single sign-on is required.`,
    )
    .argument("<email>", "e-mail address of the user", parseEmail)
    .option("--totp", "turn two-factor authentication off instead, for a user who lost the device")
    .option(
      "--identities",
      "unlink the user from providers of single sign-on instead, for an address with a new holder",
    )
    .addOption(appUrlOption())
    .action((email: string, { totp, identities, appUrl }: ResetOptions) => {
      if (totp) return resetTotp(session, email);
      if (identities) return unlinkProviders(session, email);
      return resetPassword(session, email, appUrl);
    });
}
