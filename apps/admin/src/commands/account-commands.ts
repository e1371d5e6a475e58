import type { Command } from "commander";
import type { AdminSession } from "../admin-session.ts";
import { showRows } from "../show-rows.ts";

export function addAccountCommands(program: Command, session: AdminSession): void {
  const accounts = program.command("accounts").description("Work with accounts.");
  accounts
    .command("list")
    .description("List all accounts.")
    .action(async () => showRows(session.world, await session.administration().listAccounts()));
  accounts
    .command("create")
    .description("Add an account.")
    .argument("<company>", "its name")
    .option("--feature <names...>", "paid features that are on", [])
    .action(async (companyName: string, { feature }: { feature: string[] }) => {
      const account = { companyName, features: feature, createdAt: new Date() };
      showRows(session.world, [await session.administration().createAccount(account)]);
    });
}
