import type { AlertSubscriptionEdit, NewAlertSubscription } from "@svc/sdk";
import { type Command, Option } from "commander";
import { promptForValue } from "../access/prompt-for-value.ts";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession, type Session } from "../session.ts";
import { addForEachId, integerBetween, requireGroup } from "./collection-commands.ts";
import { delay } from "./delay.ts";
import { readText } from "./read-file.ts";

const urlVariable = "SVC_ALERT_WEBHOOK_URL";
const testLimitMs = 60_000;

interface Settings extends Pick<AlertSubscriptionEdit, "kinds" | "severities" | "carriers" | "customers" | "tags"> {
  readonly daily?: true;
  readonly weekly?: number;
  readonly hour?: number;
  readonly timeZone?: string;
  readonly minimumAmount?: number;
  readonly minimumAmountCurrency?: string;
  readonly resolved?: true;
}

interface Receiver {
  readonly email?: string;
  readonly mailbox?: string;
  readonly slack?: true;
  readonly teams?: true;
}

/** The address of a channel is a secret: from the environment, a pipe, or typed without being shown. */
async function readWebhookUrl(context: ProcessContext): Promise<string> {
  const isInteractive = context.input.isTTY === true;
  const question = "Address of the incoming webhook";
  const url =
    context.environment[urlVariable] ??
    (isInteractive
      ? await promptForValue(context, question, { isSecret: true })
      : (await readText("-", context)).trim());
  if (url) return url;
  throw new CliError(exitCodes.usage, `The address of the channel is missing. Type or pipe it, or set ${urlVariable}.`);
}

async function readReceiver(
  { email, mailbox, slack, teams }: Receiver,
  context: ProcessContext,
): Promise<Pick<NewAlertSubscription, "channel" | "member" | "mailbox" | "webhookUrl">> {
  if (email !== undefined) return { channel: "email", member: email };
  if (mailbox !== undefined) return { channel: "email", mailbox };
  if (slack || teams) return { channel: slack ? "slack" : "teams", webhookUrl: await readWebhookUrl(context) };
  throw new CliError(exitCodes.usage, "Say who is alerted: --email <member>, --mailbox <address>, --slack or --teams.");
}

function frequencyOf({ daily, weekly }: Pick<Settings, "daily" | "weekly">) {
  if (weekly !== undefined) return "weekly";
  return daily ? "daily" : "at_once";
}

function toSettings(options: Settings) {
  const { daily, weekly, resolved, ...others } = options;
  return {
    ...others,
    frequency: frequencyOf(options),
    ...(weekly !== undefined && { weekday: weekly }),
    ...(resolved && { includesResolved: true }),
  } as const;
}

/** Sends a test message and waits for its outcome. Exits with 5 when it was not sent. */
async function sendTest({ client, output, call }: Session, id: string): Promise<void> {
  const mapped = { signal: call.signal, format: "mapped" } as const;
  const { lastAttemptAt: before } = await client.alertSubscriptions.test(id, mapped);
  const until = Date.now() + testLimitMs;
  while (Date.now() < until) {
    await delay(1_000, call.signal);
    const { lastAttemptAt, lastError } = await client.alertSubscriptions.get(id, mapped);
    if (lastAttemptAt === before) continue;
    if (lastError !== null) throw new CliError(exitCodes.rejected, `The test message was not sent. ${lastError}`);
    output.note("The test message was accepted.");
    return;
  }
  output.note(`The test message is still being sent. Read its outcome with: svc alerts get ${id}`);
}

export function addAlertCommands(program: Command, context: ProcessContext): void {
  const group = requireGroup(program, "alerts");
  group
    .command("create")
    .description(
      "Send exceptions by e-mail, or to a channel of Slack or Teams; immediately unless --daily or --weekly.",
    )
    .argument("<name>")
    .addOption(new Option("--email <member>", "e-mail address of a member").conflicts(["mailbox", "slack", "teams"]))
    .addOption(
      new Option("--mailbox <address>", "of a team, which is asked to confirm it").conflicts(["slack", "teams"]),
    )
    .addOption(
      new Option("--slack", `a Slack channel; its address is typed, piped or in ${urlVariable}`).conflicts("teams"),
    )
    .option("--teams", "a Teams channel, likewise")
    .addOption(new Option("--daily", "a digest of what is open, every day").conflicts("weekly"))
    .option("--weekly <weekday>", "a digest every week: 1 is Monday", integerBetween(1, 7))
    .option("--hour <hour>", "hour of a digest, 8 by default", integerBetween(0, 23))
    .option("--time-zone <zone>", "time zone of a digest, for example Europe/Berlin; UTC by default")
    .option("--kinds <kind...>", "kinds of exceptions, for example fee hold")
    .option("--severities <severity...>", "critical or warning")
    .option("--carriers <scac...>", "carriers of shipments")
    .option("--customers <part...>", "parts of names of customers")
    .option("--tags <tag...>", "tags of shipments")
    .option("--minimum-amount <amount>", "minimum charge in one currency; only in digests", Number)
    .option("--minimum-amount-currency <code>", "currency of the minimum charge, for example USD; any by default")
    .option("--resolved", "also send resolved exceptions; not in digests")
    .action(async (name: string, options: Settings & Receiver, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const { email, mailbox, slack, teams, ...settings } = options;
      const receiver = await readReceiver(
        { ...(email && { email }), ...(mailbox && { mailbox }), ...(slack && { slack }), ...(teams && { teams }) },
        context,
      );
      const subscription = { name, ...toSettings(settings), ...receiver };
      await output.record(await client.alertSubscriptions.create(subscription, call));
    });
  group
    .command("test")
    .description("Send a test message and wait for its outcome; exit code 5 when it was not sent.")
    .argument("<id>")
    .action((id: string, _options: object, command: Command) => sendTest(openSession(command, context), id));
  for (const [name, active, description] of [
    ["pause", false, "Pause alerts: what waits to be sent is dropped."],
    ["resume", true, "Resume alerts that are paused or were unsubscribed."],
  ] as const) {
    group
      .command(name)
      .description(description)
      .argument("<id...>")
      .action(async (ids: string[], _options: object, command: Command) => {
        const { client, output, call } = openSession(command, context);
        for (const id of ids) await output.record(await client.alertSubscriptions.update(id, { active }, call));
      });
  }
  addForEachId(group, context, {
    name: "delete",
    description: "Delete alerts and the log of their messages.",
    act: (client, id, call) => client.alertSubscriptions.delete(id, call),
    done: "Deleted",
  });
}
