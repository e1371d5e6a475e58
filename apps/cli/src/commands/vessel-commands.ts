import { type Command, InvalidArgumentError } from "commander";
import type { ProcessContext } from "../process-context.ts";
import { openSession } from "../session.ts";
import { requireGroup } from "./collection-commands.ts";
import { futurePositionColumns } from "./record-columns.ts";

interface Options {
  readonly from: string;
  readonly to: string;
  readonly at?: { readonly latitude: number; readonly longitude: number };
}

function coordinates(text: string): Options["at"] {
  const [, latitude, longitude] = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(text.replaceAll(" ", "")) ?? [];
  if (latitude === undefined || longitude === undefined) {
    throw new InvalidArgumentError("Give latitude and longitude in degrees, such as 1.2,-103.5.");
  }
  return { latitude: Number(latitude), longitude: Number(longitude) };
}

/** Adds the commands on vessels besides `get`. */
export function addVesselCommands(program: Command, context: ProcessContext): void {
  requireGroup(program, "vessels")
    .command("future-positions")
    .description("Show estimated positions between two ports, minute by minute, up to seven days.")
    .argument("<vessel>", "IMO number or id")
    .requiredOption("--from <port>", "the port that it comes from: UN/LOCODE or id")
    .requiredOption("--to <port>", "the port that it sails to: UN/LOCODE or id")
    .option("--at <latitude,longitude>", "current position in degrees", coordinates)
    .action(async (id: string, { from, to, at }: Options, command: Command) => {
      const { client, output, call } = openSession(command, context);
      const ends = { previousPortId: from, portId: to };
      const response = await (at === undefined
        ? client.vessels.futurePositions(id, ends, call)
        : client.vessels.futurePositionsWithCoordinates(id, { ...ends, ...at }, call));
      if (output.shape === "json") return output.json(response);
      const { positions } = response as { positions?: unknown[] | null };
      if (!positions?.length) return output.note("The vessel has arrived, or its ETA has passed.");
      await output.table(futurePositionColumns, positions);
    });
}
