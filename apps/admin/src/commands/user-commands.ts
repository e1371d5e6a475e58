import { createInvitationRepository, type MemberRole, makeInvitation, resetPassword } from "@svc/persistence";
import { type Command, InvalidArgumentError, Option } from "commander";
import { AdminError } from "../admin-error.ts";
import type { AdminSession } from "../admin-session.ts";
import { idOf } from "../id-argument.ts";

function emailOf(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text) || text.length > 254) throw new InvalidArgumentError("Give an email address.");
  return text;
}

function addressOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text)) throw new InvalidArgumentError("Give an http or https address.");
  return text.replace(/\/+$/, "");
}

interface InviteOptions {
  readonly role: MemberRole;
  readonly appUrl: string;
}

export function addUserCommands(program: Command, session: AdminSession): void {
  const users = program.command("users").description("Manage the users of accounts.");
  users
    .command("invite")
    .description("Create an invitation link to an account, valid once. It is printed alone on stdout.")
    .argument("<account>", "the account's id", idOf)
    .argument("<email>", "of who is invited", emailOf)
    .addOption(new Option("--role <role>").choices(["owner", "member"]).default("owner"))
    .option("--app-url <address>", "of the web application", addressOf, "http://localhost:4002")
    .action(async (accountId: string, email: string, { role, appUrl }: InviteOptions) => {
      if (!(await session.administration().findAccount(accountId))) {
        throw new AdminError(4, `There is no account ${accountId}; \`svc-admin accounts list\` shows all.`);
      }
      const { invitation, path } = makeInvitation({ email, role }, Date.now());
      await createInvitationRepository(session.database().sql).create(accountId, invitation);
      session.world.writeError(`Until ${invitation.expiresAt}, once, for ${email} as ${role}:\n`);
      session.world.write(`${appUrl}${path}\n`);
    });
  users
    .command("reset-password")
    .description("Give a user a new password and end all their sessions. It is printed alone on stdout.")
    .argument("<email>", "of the user", emailOf)
    .action(async (email: string) => {
      const password = await resetPassword(session.database().sql, email);
      if (password === null) throw new AdminError(4, `No user has the email address ${email}.`);
      session.world.writeError(`New password of ${email}, to be changed under Account, Password:\n`);
      session.world.write(`${password}\n`);
    });
}
