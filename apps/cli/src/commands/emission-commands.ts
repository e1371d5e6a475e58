import { countText } from "@svc/domain";
import type { EmissionFactorEdit, NewEmissionFactor } from "@svc/sdk";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { addForEachId, requireGroup } from "./collection-commands.ts";
import { readText } from "./read-file.ts";

interface Options {
  readonly name?: string;
  readonly scope?: NewEmissionFactor["energyScope"];
  readonly grams?: number;
  readonly distance?: "actual" | "shortest";
  readonly source?: string;
  readonly carrier?: string;
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly bothDirections?: true;
  readonly vessel?: string;
  readonly equipment?: "dry" | "reefer";
  readonly validFrom?: string;
  readonly validUntil?: string;
}

const bases = { actual: "actual_distance", shortest: "shortest_feasible_distance" } as const;

function parseGrams(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a number such as 62.5.");
}

const toUpperCase = (code: string): string => code.toUpperCase();

const toEdit = (options: Options): EmissionFactorEdit => ({
  name: options.name,
  energyScope: options.scope,
  gramsPerTeuKm: options.grams,
  distanceBasis: options.distance && bases[options.distance],
  source: options.source,
  carrierScac: options.carrier?.toUpperCase(),
  origins: options.from?.map(toUpperCase),
  destinations: options.to?.map(toUpperCase),
  bothDirections: options.bothDirections,
  vesselImo: options.vessel,
  equipment: options.equipment,
  validFrom: options.validFrom,
  validUntil: options.validUntil,
});

function withSettings(command: Command): Command {
  return command
    .addOption(new Option("--scope <scope>", "of the energy").choices(["well_to_wake", "tank_to_wake"]))
    .option("--grams <number>", "grams of CO2 equivalent per TEU and km", parseGrams)
    .addOption(
      new Option("--distance <basis>", "per km of which distance, as the source of the factor says").choices([
        "actual",
        "shortest",
      ]),
    )
    .option("--source <text>", "source of the value: publication, edition, year")
    .option("--carrier <scac>", "only for this shipping line")
    .option("--from <place...>", "legs from these countries (CN) or ports (CNSHA)")
    .option("--to <place...>", "legs to these countries or ports")
    .option("--both-directions", "also legs from a destination to an origin")
    .option("--vessel <imo>", "only for this vessel (IMO number)")
    .addOption(new Option("--equipment <kind>", "of these containers only").choices(["dry", "reefer"]))
    .option("--valid-from <date>", "the first day on which a leg may depart, YYYY-MM-DD")
    .option("--valid-until <date>", "the last day on which a leg may depart");
}

export function addEmissionCommands(program: Command, context: ProcessContext): void {
  const group = requireGroup(program, "emission-factors");
  withSettings(
    group.command("create").description("Add emissions per TEU and km from your own source.").argument("<name>"),
  ).action(async (name: string, options: Options, command: Command) => {
    const { client, output, call } = openSession(command, context);
    const { scope: energyScope = "well_to_wake", grams: gramsPerTeuKm, distance, source } = options;
    if (gramsPerTeuKm === undefined || distance === undefined || source === undefined) {
      const detail = 'Give --grams, --distance and --source, for example --grams 62.5 --distance actual --source "…".';
      throw new CliError(exitCodes.usage, detail);
    }
    const required = { name, energyScope, gramsPerTeuKm, distanceBasis: bases[distance], source };
    await output.record(await client.emissionFactors.create({ ...toEdit(options), ...required }, call));
  });
  withSettings(group.command("edit").description("Change a factor; omitted options stay.").argument("<id>"))
    .option("--name <name>", "new name")
    .action(async (id: string, options: Options, command: Command) => {
      const { client, output, call } = openSession(command, context);
      await output.record(await client.emissionFactors.update(id, toEdit(options), call));
    });
  group
    .command("import")
    .description("Add the factors of a CSV file with the names of the attributes in its first line.")
    .argument("<file>", 'file name; "-" reads from the pipe')
    .action(async (file: string, _options: object, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const created = await client.emissionFactors.import(await readText(file, context), call);
      output.note(`Created ${countText(created.length, "factor")}.`);
    });
  addForEachId(group, context, {
    name: "delete",
    description: "Delete factors; legs are computed by the remaining factors.",
    act: (client, id, call) => client.emissionFactors.delete(id, call),
    done: "Deleted",
  });
}
