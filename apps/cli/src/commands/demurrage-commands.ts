import type { DemurrageRuleEdit, NewDemurrageRule } from "@svc/sdk";
import { type Command, Option } from "commander";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { addForEachId, integerBetween, requireGroup } from "./collection-commands.ts";

interface Options {
  readonly name?: string;
  readonly kind?: NewDemurrageRule["kind"];
  readonly direction?: NewDemurrageRule["direction"];
  readonly carrier?: string;
  readonly port?: string;
  readonly terminal?: string;
  readonly equipmentTypes?: readonly string[];
  readonly equipmentLengths?: readonly string[];
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly start?: NonNullable<DemurrageRuleEdit["countingStart"]>;
  readonly startOffset?: number;
  readonly freeDays?: number;
  readonly workingDays?: true;
  readonly chargeWorkingDays?: true;
  readonly weekend?: readonly string[];
  readonly holidays?: readonly string[];
  readonly currency?: string;
  readonly tiers?: readonly string[];
}

/** "1=75.00": from the first charged day on, a day costs 75.00. */
function parseTier(text: string): { fromDay: number; amountPerDay: string } {
  const [, day, amountPerDay] = /^(\d{1,4})=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (day !== undefined && amountPerDay !== undefined) return { fromDay: Number(day), amountPerDay };
  throw new CliError(exitCodes.usage, `${JSON.stringify(text)} is no tier. Write <day>=<amount>, for example 1=75.00.`);
}

const toEdit = (options: Options): DemurrageRuleEdit => ({
  name: options.name,
  kind: options.kind,
  direction: options.direction,
  carrierScac: options.carrier?.toUpperCase(),
  portLocode: options.port?.toUpperCase(),
  terminalCode: options.terminal,
  equipmentTypes: options.equipmentTypes,
  equipmentLengths: options.equipmentLengths?.map(Number),
  validFrom: options.validFrom,
  validUntil: options.validUntil,
  countingStart: options.start,
  startOffsetDays: options.startOffset,
  freeDays: options.freeDays,
  freeDayCalendar: options.workingDays && "working_days",
  chargedDayCalendar: options.chargeWorkingDays && "working_days",
  weekendDays: options.weekend?.map(Number),
  holidays: options.holidays,
  currencyCode: options.currency?.toUpperCase(),
  tiers: options.tiers?.map(parseTier),
});

const starts = ["discharged", "vessel_arrived", "available", "full_out", "empty_out", "full_in"];

function withSettings(command: Command): Command {
  return command
    .addOption(new Option("--kind <kind>", "what is charged").choices(["demurrage", "detention", "per_diem"]))
    .addOption(new Option("--direction <direction>", "of the trade").choices(["import", "export"]))
    .option("--carrier <scac>", "only for this shipping line")
    .option("--port <locode>", "only at this port: of discharge for imports, of lading for exports")
    .option("--terminal <code>", "only at this terminal of the port (FIRMS or SMDG code)")
    .option("--equipment-types <type...>", "for example dry reefer")
    .option("--equipment-lengths <feet...>", "for example 20 40")
    .option("--valid-from <date>", "the first day on which counting may start, YYYY-MM-DD")
    .option("--valid-until <date>", "the last day on which counting may start")
    .addOption(new Option("--start <event>", "what starts the counting").choices(starts))
    .option(
      "--start-offset <days>",
      "first day counted after the start; 1, the day after, by default",
      integerBetween(0, 30),
    )
    .option("--free-days <days>", "days without a charge", integerBetween(0, 365))
    .option("--working-days", "weekends and holidays do not count as free days")
    .option("--charge-working-days", "weekends and holidays are not charged")
    .option("--weekend <day...>", "weekend days: 1 is Monday; 6 7 by default")
    .option("--holidays <date...>", "YYYY-MM-DD")
    .option("--currency <code>", "for example USD")
    .option("--tiers <tier...>", "price of a day from a charged day on: 1=75.00 5=150.00");
}

export function addDemurrageCommands(program: Command, context: ProcessContext): void {
  const group = requireGroup(program, "demurrage-rules");
  withSettings(
    group.command("create").description("Add free time and charges of a line or terminal.").argument("<name>"),
  ).action(async (name: string, options: Options, command: Command) => {
    const { client, output, call } = openSession(command, context);
    const { kind = "demurrage", direction = "import", freeDays, currency, tiers } = options;
    if (freeDays === undefined || currency === undefined || tiers === undefined) {
      throw new CliError(exitCodes.usage, "Give --free-days, --currency and --tiers, for example --tiers 1=75.00.");
    }
    const required = {
      name,
      kind,
      direction,
      freeDays,
      currencyCode: currency.toUpperCase(),
      tiers: tiers.map(parseTier),
    };
    await output.record(await client.demurrageRules.create({ ...toEdit(options), ...required }, call));
  });
  withSettings(group.command("edit").description("Change a rule; omitted options stay.").argument("<id>"))
    .option("--name <name>", "new name")
    .action(async (id: string, options: Options, command: Command) => {
      const { client, output, call } = openSession(command, context);
      await output.record(await client.demurrageRules.update(id, toEdit(options), call));
    });
  addForEachId(group, context, {
    name: "delete",
    description: "Delete rules; the charges of containers are computed by the remaining rules.",
    act: (client, id, call) => client.demurrageRules.delete(id, call),
    done: "Deleted",
  });
}
