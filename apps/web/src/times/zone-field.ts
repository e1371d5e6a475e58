import type { Html } from "@svc/views";
import { choice } from "../forms/choices.ts";
import { readerZone } from "./reader-zone.ts";

const zones = Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC");
const zoneChoices = [
  ["", "Local to each place"],
  ["UTC", "UTC"],
  ...zones.map((zone) => [zone, zone.replaceAll("_", " ")] as const),
] as const;

/** The time zone of all times on the pages. */
export const zoneField = (): Html =>
  choice(
    { name: "zone", label: "Time zone", chosen: readerZone() ?? "", problems: {}, hint: "In this browser only." },
    zoneChoices,
  );
