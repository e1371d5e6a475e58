import { type MemberRole, memberRoles } from "@svc/domain/members";
import { generateApiToken, type TokenScope } from "@svc/persistence/tokens";
import { type Command, InvalidArgumentError, Option } from "commander";
import { AdminError, noAccount } from "../admin-error.ts";
import type { AdminSession } from "../admin-session.ts";
import { parseId } from "../parse-id.ts";
import { showRows } from "../show-rows.ts";

function futureTime(text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()) || time <= new Date())
    throw new InvalidArgumentError("Give a time to come, as RFC 3339.");
  return time;
}

interface NewTokenOptions {
  readonly name: string;
  readonly scope: TokenScope[];
  readonly role: MemberRole;
  readonly expires?: Date;
}

export function addTokenCommands(program: Command, { context, administration }: AdminSession): void {
  const tokens = program.command("tokens").description("Work with API tokens.");
  tokens
    .command("list")
    .description("List tokens, without the tokens themselves: only their hashes are stored.")
    .option("--account <id>", "only this account", parseId)
    .action(async ({ account }: { account?: string }) => showRows(context, await administration().listTokens(account)));
  tokens
    .command("create")
    .description("Create a token. It is printed once, alone on stdout, and cannot be shown again.")
    .argument("<account>", "account id", parseId)
    .option("--name <name>", "purpose of the token", "svc-admin")
    .addOption(new Option("--scope <scopes...>").choices(["read", "write"]).default(["read", "write"]))
    .addOption(
      new Option("--role <role>", "role that it is limited to; only owner reads the audit log")
        .choices(memberRoles)
        .default("developer"),
    )
    .option("--expires <time>", "time of expiry; default: never", futureTime)
    .action(async (accountId: string, { name, scope, role, expires }: NewTokenOptions) => {
      const administrator = administration();
      if (!(await administrator.findAccount(accountId))) throw noAccount(accountId);
      const { token, ...stored } = generateApiToken();
      const created = await administrator.createToken({
        accountId,
        name,
        scopes: [...new Set(scope)],
        role,
        ...stored,
        expiresAt: expires ?? null,
        createdAt: new Date(),
      });
      context.writeError(`Token ${created.id} of account ${accountId}:\n`);
      context.write(`${token}\n`);
    });
  tokens
    .command("revoke")
    .description("Revoke a token immediately.")
    .argument("<id>", "token id", parseId)
    .action(async (id: string) => {
      const revoked = await administration().revokeToken(id, new Date());
      if (revoked === null) throw new AdminError(4, `There is no token ${id}; \`svc-admin tokens list\` shows all.`);
      showRows(context, [revoked]);
    });
}
