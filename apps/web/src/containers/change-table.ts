import { instant } from "@svc/domain";
import { toWireName } from "@svc/jsonapi";
import { eventLabel, type Html, html, listTable, localTime, noValue, sourceLabels } from "@svc/views";
import { longTable } from "../pages/long-table.ts";
import type { ChangeRecord, ContainerRecord } from "../shipments/api-records.ts";
import type { LabelledValue } from "../shipments/field-sources.ts";

const timeShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const longest = 160;

/** Attributes that are no fact of their own on the page, or another one than the fact. */
export const otherLabels: Readonly<Record<string, string>> = {
  availabilityKnown: "Availability known",
  equipmentHeight: "Height",
  equipmentLength: "Length in feet",
  // The fact is the earliest of the days.
  pickupLfd: "Last free day (carrier first)",
  pickupLfdLine: "Last free day by the carrier",
  pickupLfdRail: "Last free day by the rail carrier",
  pickupLfdTerminal: "Last free day by the terminal",
  podEtaAt: "ETA of this container",
  podOriginalEtaAt: "Original ETA of this container",
  podVesselImo: "IMO number of the vessel",
  podVesselName: "Vessel",
  podVoyageNumber: "Voyage",
};

/** Records and preferences with which values of changes are shown. */
export interface ChangeContext {
  readonly container: ContainerRecord;
  /** Time zone of the port of discharge. */
  readonly zone: string | null;
  /** The facts that the page would show of a container. */
  readonly factsOf: (container: ContainerRecord) => readonly LabelledValue[];
}

/** A value of an attribute that no fact shows. */
export function otherValue(field: string, value: unknown, zone: string | null): Html | string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value !== "string") return JSON.stringify(value).slice(0, longest);
  if (!timeShape.test(value)) return value.replaceAll("_", " ").slice(0, longest);
  return localTime(instant(value), zone, field.startsWith("pickupLfd") ? "date_only" : "exact");
}

/** A value of an attribute in the words of the page, as if the container still had it and nothing that hides it. */
export function valueText({ container, zone, factsOf }: ChangeContext, field: string, value: unknown): Html | string {
  if (value === null || value === undefined) return noValue;
  // The fact counts the days from today.
  if (field.startsWith("pickupLfd")) return otherValue(field, value, zone);
  const then = {
    ...container,
    ...(field === "availableForPickup" && {
      availabilityKnown: true,
      podFullOutAt: null,
      finalDestinationFullOutAt: null,
    }),
    [field]: value,
  };
  const fact = factsOf(then).find((one) => one.field === field);
  return fact ? fact.value : otherValue(field, value, zone);
}

/**
 * Whether another change of the same report says it: `pickup_lfd` repeats the day of the source which set it, and the
 * equipment is reported with its height and length.
 */
function isRepeated(
  { field, value, previousValue, validFrom }: ChangeRecord,
  changes: readonly ChangeRecord[],
): boolean {
  const together = changes.filter((one) => one.validFrom === validFrom);
  if (field === "pickupLfd") return together.some((one) => /^pickupLfd./.test(one.field) && one.value === value);
  const isFirstSize = (field === "equipmentHeight" || field === "equipmentLength") && previousValue === null;
  return isFirstSize && together.some((one) => one.field === "equipmentType");
}

/** Changes of the container's attributes, most recent first. */
export function changeTable(history: readonly ChangeRecord[], attribute: ChangeContext): Html {
  const changes = history.filter((change) => !isRepeated(change, history));
  if (changes.length === 0) return html`<p class="muted">No value has changed yet.</p>`;
  const terms = new Map(
    attribute.factsOf(attribute.container).flatMap(({ term, field }) => (field === null ? [] : [[field, term]])),
  );
  const row = ({ field, value, previousValue, validFrom, dataSource }: ChangeRecord) => html`
    <tr><th scope="row" data-label="When">${localTime(validFrom, "UTC")}</th>
      <td data-label="Value">${otherLabels[field] ?? terms.get(field) ?? eventLabel(toWireName(field))}</td>
      <td data-label="From">${(previousValue ?? null) !== null && valueText(attribute, field, previousValue)}</td>
      <td data-label="To">${valueText(attribute, field, value)}</td>
      <td data-label="Source">${sourceLabels[dataSource]}</td></tr>`;
  const table = listTable({
    caption: "Changes of the values of the container",
    columns: ["When", "Value", "From", "To", "Source"],
    rows: changes.map(row),
  });
  return longTable(table, { id: "all-changes", count: changes.length });
}
