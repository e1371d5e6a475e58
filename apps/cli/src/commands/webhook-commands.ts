import { rateLimitMax, type WebhookEventName, webhookEventNames } from "@svc/domain/webhooks";
import { Argument, type Command, Option } from "commander";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import { type ListenOptions, listen } from "../listen/listen.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { addForEachId, integerBetween, parseTime, requireGroup } from "./collection-commands.ts";

interface Header {
  readonly name: string;
  readonly value: string;
}

interface WebhookChanges {
  readonly url?: string;
  readonly events?: string[];
  readonly header?: Header[];
  /** False: none. */
  readonly rateLimit?: number | false;
}

const noticeColumns = [
  { title: "AT (UTC)", path: "createdAt" },
  { title: "KIND", path: "kind" },
  { title: "FAILING SINCE", path: "failingSince" },
  { title: "FAILURES", path: "consecutiveFailures" },
  { title: "STATUS", path: "statusCode" },
  { title: "ERROR", path: "errorClass" },
];

function parseHeader(text: string, others: readonly Header[] = []): Header[] {
  const [, name, value] = /^([^\s:]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new CliError(exitCodes.usage, "Write a header as 'Name: value'.");
  return [...others, { name, value }];
}

function addChanges(group: Command, context: ProcessContext): void {
  group
    .command("create")
    .description("Create a webhook; the response has its signing secret.")
    .argument("<url>")
    .option("--events <events...>", "names, families such as container.transport.*, or *", ["*"])
    .option("--header <header>", "'Name: value' to send with each delivery, repeatable", parseHeader)
    .option("--rate-limit <number>", "maximum deliveries per second", integerBetween(1, rateLimitMax))
    .option("--inactive", "create it inactive")
    .action(
      async (
        url: string,
        options: { events: string[]; header?: Header[]; rateLimit?: number; inactive?: true },
        command: Command,
      ) => {
        const { client, output, call } = openSession(command, context);
        const { events, header: headers, rateLimit } = options;
        const webhook = { url, events, headers, rateLimit, active: options.inactive !== true };
        await output.record(await client.webhooks.create(webhook, call));
      },
    );
  group
    .command("update")
    .description("Update a webhook; omitted options stay as they are.")
    .argument("<id>")
    .option("--url <url>")
    .option("--events <events...>", "all events to deliver")
    .option("--header <header>", "'Name: value', repeatable; replaces all headers", parseHeader)
    .option("--rate-limit <number>", "maximum deliveries per second", integerBetween(1, rateLimitMax))
    .option("--no-rate-limit", "remove the rate limit")
    .action(async (id: string, options: WebhookChanges, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const { header: headers, rateLimit, ...edit } = options;
      const changes = {
        ...edit,
        ...(headers && { headers }),
        ...(rateLimit !== undefined && { rateLimit: rateLimit === false ? null : rateLimit }),
      };
      await output.record(await client.webhooks.update(id, changes, call));
    });
  for (const [name, change, description] of [
    ["pause", { paused: true }, "Hold deliveries until they are resumed."],
    ["resume", { paused: false }, "Resume deliveries, with those that were held."],
    [
      "deactivate",
      { active: false },
      "Stop deliveries. Events that happen while it is inactive are not recorded for it.",
    ],
    ["activate", { active: true }, "Activate it again, also after it was disabled automatically."],
  ] as const) {
    group
      .command(name)
      .description(description)
      .argument("<id>")
      .action(async (id: string, _options: object, command: Command) => {
        const { client, output, call } = openSession(command, context);
        await output.record(await client.webhooks.update(id, change, call));
      });
  }
  addForEachId(group, context, {
    name: "delete",
    description: "Delete webhooks.",
    act: (client, id, call) => client.webhooks.delete(id, call),
    done: "Deleted",
  });
  group
    .command("rotate-secret")
    .description("Rotate the secret; the old one also signs for 24 hours.")
    .argument("<id>")
    .action(async (id: string, _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      await output.record(await client.webhooks.rotateSecret(id, call));
    });
}

const performanceColumns = [
  { title: "FROM (UTC)", path: "started_at" },
  { title: "ATTEMPTS", path: "attempts" },
  { title: "FAILED", path: "failed" },
  { title: "P50 MS", path: "latency_p50_ms" },
  { title: "P95 MS", path: "latency_p95_ms" },
  { title: "P99 MS", path: "latency_p99_ms" },
];

function addDeliveries(group: Command, context: ProcessContext): void {
  group
    .command("notices")
    .description("List its notices (failing, deactivated, recovered), newest first.")
    .argument("<id>")
    .action(async (id: string, _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const response = await client.webhooks.notices(id, { pageSize: 100 }, call);
      await output.page(noticeColumns, response, "No notices.");
    });
  group
    .command("performance")
    .description("Show success rate and latency of delivery attempts over time.")
    .argument("[id]", "default: all webhooks")
    .addOption(new Option("--period <period>").choices(["day", "week"] as const).default("day"))
    .action(async (webhook: string | undefined, { period }: { period: "day" | "week" }, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const { signal } = call;
      const response = await client.webhooks.performance({ webhook, period }, { signal, format: "raw" });
      if (output.shape === "json") return output.json(response);
      const { intervals, last_attempt_at: last } = response.data.attributes;
      const tried = intervals.filter(({ attempts }) => attempts > 0);
      const isInPeriod = last !== null && Date.parse(last) >= Date.parse(intervals[0]?.started_at ?? last);
      const none = isInPeriod ? "None of the attempts in this period is counted." : "No delivery attempts.";
      await (tried.length === 0 ? output.note(none) : output.table(performanceColumns, tried));
    });
  group
    .command("recover")
    .description("Recover missed events: redeliver failed notifications.")
    .argument("<id>")
    .requiredOption("--since <time>", "RFC 3339, or how long ago: 36h, 7d", (text) => parseTime(text, Date.now()))
    .option("--until <time>", "default: now", (text) => parseTime(text, Date.now()))
    .addOption(new Option("--only <which>").choices(["failed", "all"] as const).default("failed"))
    .action(async (id: string, range: { since: string; until?: string; only: "failed" | "all" }, command: Command) => {
      const { client, output, call } = openSession(command, context);
      await output.record(await client.webhooks.recover(id, range, { signal: call.signal }));
    });
  group
    .command("trigger")
    .description("Send one sample to an address and show the response.")
    .addArgument(new Argument("<event>").choices(webhookEventNames))
    .argument("<url>")
    .option("--secret <secret>", "signing secret of the sample")
    .action(async (event: WebhookEventName, url: string, { secret }: { secret?: string }, command: Command) => {
      const { client, output, call } = openSession(command, context);
      await output.record(await client.webhooks.trigger({ event, url, secret }, { signal: call.signal }));
    });
  group
    .command("listen")
    .description("Print verified deliveries. Creates a temporary webhook, deleted on Ctrl-C.")
    .option("--events <events...>", "names, families such as container.transport.*, or *", ["*"])
    .option("--forward-to <url>", "forward each delivery, bytes and signatures unchanged")
    .option("--url <url>", "public address of this machine, when the loopback address cannot be reached")
    .option("--port <number>", "port to listen on; default: a free one", integerBetween(1, 65_535))
    .option("--webhook <id>", "print the notifications of this webhook by polling; needs no public address")
    .option("--after <cursor>", "with --webhook: continue after this cursor; default: new notifications only")
    .action(async (options: ListenOptions, command: Command) => listen(openSession(command, context), options));
}

export function addWebhookCommands(program: Command, context: ProcessContext): void {
  const group = requireGroup(program, "webhooks");
  addChanges(group, context);
  addDeliveries(group, context);
  group
    .command("events")
    .description("List all events with their descriptions.")
    .action(async (_options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const response = await client.webhooks.events({ signal: call.signal });
      if (output.shape === "json") return output.json(response);
      const columns = [
        { title: "EVENT", path: "name" },
        { title: "WHAT HAPPENED", path: "description" },
      ];
      await output.table(
        columns,
        response.data.flatMap(({ attributes }) => attributes.events),
      );
    });
  group
    .command("ips")
    .description("List the IP addresses of deliveries.")
    .action(async (_options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      await output.record(await client.webhooks.ips({ signal: call.signal }));
    });
}
