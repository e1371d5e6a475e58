import { closeAccount, eraseClosedAccount, resumeAccount, suspendAccount } from "@svc/persistence/administration";
import { paidFeatures, setSignInRules } from "@svc/persistence/members";
import { createOperatorRecords } from "@svc/persistence/operations";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { AdminError, noAccount } from "../admin-error.ts";
import type { AdminSession } from "../admin-session.ts";
import { integerBetween } from "../integer-between.ts";
import { parseId } from "../parse-id.ts";
import { showRows } from "../show-rows.ts";

const graceDaysDefault = 30;
const graceDaysMax = 3_650;

function parseName(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > 200) throw new InvalidArgumentError("Give a name of 1 to 200 characters.");
  return name;
}

const ruleChoices = ["required", "optional"];

async function show(session: AdminSession, id: string): Promise<void> {
  const account = await session.administration().findAccount(id);
  if (account === null) throw noAccount(id);
  showRows(session.context, [account]);
}

/** Commands that create and edit accounts. */
function addRecordCommands(accounts: Command, session: AdminSession): void {
  const { context } = session;
  accounts
    .command("list")
    .description("List all accounts.")
    .action(async () => showRows(context, await session.administration().listAccounts()));
  accounts
    .command("create")
    .description("Add an account.")
    .argument("<company>", "company name", parseName)
    .addOption(new Option("--feature <names...>", "paid features that are on").choices(paidFeatures).default([]))
    .action(async (companyName: string, { feature }: { feature: string[] }) => {
      const account = { companyName, features: [...new Set(feature)], createdAt: new Date() };
      showRows(context, [await session.administration().createAccount(account)]);
    });
  accounts
    .command("rename")
    .description("Change the name of an account.")
    .argument("<account>", "account id", parseId)
    .argument("<company>", "new company name", parseName)
    .action(async (id: string, companyName: string) => {
      const account = await session.administration().renameAccount(id, companyName);
      if (account === null) throw noAccount(id);
      showRows(context, [account]);
    });
  accounts
    .command("features")
    .description("Replace the paid features of an account by the named ones; without a name, remove all.")
    .argument("<account>", "account id", parseId)
    .addArgument(new Argument("[features...]", "paid features that are on").choices(paidFeatures))
    .action(async (id: string, features: string[]) => {
      const account = await createOperatorRecords(session.database()).setFeatures(id, [...new Set(features)]);
      if (account === null) throw noAccount(id);
      showRows(context, [account]);
    });
  accounts
    .command("sign-in-rules")
    .description("Set the sign-in rules of an account. Rules that are not named stay.")
    .argument("<account>", "account id", parseId)
    .addOption(new Option("--single-sign-on <rule>", "whether passwords are refused").choices(ruleChoices))
    .addOption(new Option("--two-factor <rule>", "whether members have to set it up").choices(ruleChoices))
    .action(async (id: string, { singleSignOn, twoFactor }: { singleSignOn?: string; twoFactor?: string }) => {
      const rules = {
        ...(singleSignOn !== undefined && { requiresSingleSignOn: singleSignOn === "required" }),
        ...(twoFactor !== undefined && { requiresTwoFactor: twoFactor === "required" }),
      };
      if (!(await setSignInRules(session.database().sql, id, rules))) throw noAccount(id);
      await show(session, id);
    });
}

/** Commands that suspend, close and erase accounts. */
function addLifecycleCommands(accounts: Command, session: AdminSession): void {
  accounts
    .command("suspend")
    .description("Stop sign-in, API tokens, pushes, polling and deliveries of an account immediately. No data is lost.")
    .argument("<account>", "account id", parseId)
    .action(async (id: string) => {
      if (!(await suspendAccount(session.database(), id))) throw noAccount(id);
      await show(session, id);
    });
  accounts
    .command("resume")
    .description("Undo `suspend`, and `close` before the account was erased.")
    .argument("<account>", "account id", parseId)
    .action(async (id: string) => {
      const outcome = await resumeAccount(session.database(), id);
      if (outcome === "not_found") throw noAccount(id);
      if (outcome === "being_erased")
        throw new AdminError(4, `The grace period of account ${id} is over, and it is being erased.`);
      await show(session, id);
    });
  accounts
    .command("close")
    .description("Suspend an account, and erase all of its data after a grace period.")
    .argument("<account>", "account id", parseId)
    .option(
      "--grace-days <days>",
      "days until the data is erased; until then `resume` undoes it",
      integerBetween(0, graceDaysMax),
      graceDaysDefault,
    )
    .action(async (id: string, { graceDays }: { graceDays: number }) => {
      if (!(await closeAccount(session.database(), id, graceDays))) throw noAccount(id);
      await show(session, id);
    });
  accounts
    .command("erase")
    .description("Erase a closed account now, without waiting for the end of its grace period. Cannot be undone.")
    .argument("<account>", "account id", parseId)
    .requiredOption("--yes", "confirms that all of its data is to be erased")
    .action(async (id: string) => {
      const rows = await eraseClosedAccount(session.database(), id);
      if (rows === null)
        throw new AdminError(4, `Account ${id} is not closed; \`svc-admin accounts close\` comes first.`);
      session.context.writeError(`Erased account ${id}: ${rows} rows.\n`);
    });
}

export function addAccountCommands(program: Command, session: AdminSession): void {
  const accounts = program.command("accounts").description("Work with accounts.");
  addRecordCommands(accounts, session);
  addLifecycleCommands(accounts, session);
}
