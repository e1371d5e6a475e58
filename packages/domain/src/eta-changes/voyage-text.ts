import { countText } from "../count-text.ts";
import { hourMs } from "../instant.ts";
import type { LocalDate } from "../local-time.ts";
import type { NamedPlace, PlannedVoyage } from "./planned-voyage.ts";

export const dayCount = (days = 0): string => countText(days, "day");

/** "1 hour", "47 hours", "2 days". */
export function duration(ms: number): string {
  const hours = Math.max(1, Math.round(ms / hourMs));
  return hours < 48 ? countText(hours, "hour") : dayCount(Math.round(hours / 24));
}

const dateFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** "7 Jan 2026". */
export const dateText = (day: LocalDate | undefined): string =>
  day === undefined ? "an unknown day" : dateFormat.format(Date.parse(day));

export const placeName = (place: NamedPlace | undefined): string => place?.name ?? place?.locode ?? "an unknown port";

/** "SBX ALPHA voyage 001E on 1 Jan 2026". */
export function sailing({ vesselName, vesselImo, voyageNumber, departureDate }: PlannedVoyage): string {
  const vessel = vesselName ?? (vesselImo === null ? "a vessel" : `IMO ${vesselImo}`);
  const voyage = voyageNumber === null || voyageNumber === "" ? "" : ` voyage ${voyageNumber}`;
  return `${vessel}${voyage} on ${dateText(departureDate)}`;
}
