import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { ChangeRecord, ContainerRecord, ShipmentRecord } from "../shipments/api-records.ts";
import { containerFacts, pickupFacts } from "../shipments/container-facts.ts";
import { visibleText } from "../testing/visible-text.ts";
import { changeTable } from "./change-table.ts";

const container = {
  currentStatus: "on_ship",
  pickupLfd: null,
  pickupLfdLine: null,
  pickupLfdTerminal: null,
  pickupLfdRail: null,
  pickupAppointmentAt: null,
  podTimezone: "Europe/Berlin",
  weightInLbs: null,
  refNumbers: [],
  holdsAtPodTerminal: [],
  feesAtPodTerminal: [],
  podFullOutAt: instant("2026-07-12T08:00:00Z"),
} as unknown as ContainerRecord;

const changeOf = (field: string, previousValue: unknown, value: unknown): ChangeRecord => ({
  field,
  previousValue,
  value,
  dataSource: "terminal",
  rule: "latest",
  cause: null,
  validFrom: instant("2026-07-10T08:00:00Z"),
});

const tableOf = (...changes: readonly ChangeRecord[]): string => {
  const table = changeTable(changes, {
    container,
    zone: "Europe/Berlin",
    factsOf: (changed) => [
      ...pickupFacts(changed, {} as ShipmentRecord, instant("2026-07-10T08:00:00Z")),
      ...containerFacts(changed),
    ],
  });
  return visibleText(String(table));
};

function rowOf(field: string, previousValue: unknown, value: unknown): string {
  return /08:00 UTC (.*) Terminal/.exec(tableOf(changeOf(field, previousValue, value)))?.[1] ?? "";
}

test.each([
  ["availableForPickup", null, true, "Available Yes"],
  ["pickupLfd", "2026-07-09T22:00:00.000Z", null, "Last free day (carrier first) Fri, 10 Jul 2026 –"],
  ["pickupLfdLine", null, "2026-07-09T22:00:00.000Z", "Last free day by the carrier Fri, 10 Jul 2026"],
  ["equipmentLength", null, 40, "Length in feet 40"],
  ["equipmentHeight", "standard", "high_cube", "Height standard high cube"],
  ["availabilityKnown", false, true, "Availability known No Yes"],
  [
    "holdsAtPodTerminal",
    [],
    [{ name: "customs", status: "hold", description: null }],
    "Holds None known Customs: held",
  ],
  [
    "feesAtPodTerminal",
    null,
    [{ type: "demurrage", amount: 120, currencyCode: "USD" }],
    "Charges by the terminal Demurrage 120.00 USD",
  ],
])("a change of %s is in the words and the time zone of the page", (field, previous, value, row) => {
  expect(rowOf(field, previous, value)).toBe(row);
});

test("leaves out the height and length that are first reported with the equipment", () => {
  const [type, length] = [changeOf("equipmentType", null, "dry"), changeOf("equipmentLength", null, 40)];
  expect(tableOf(type, length)).not.toContain("Length in feet");
  expect(tableOf(type, changeOf("equipmentLength", 20, 40))).toContain("Length in feet 20 40");
});

test("a change of pickup_lfd is left out where the source that set it says the same", () => {
  const [day, other] = ["2026-07-09T22:00:00.000Z", "2026-07-11T22:00:00.000Z"];
  const effective = changeOf("pickupLfd", null, day);
  expect(tableOf(effective, changeOf("pickupLfdLine", null, day))).not.toContain("carrier first");
  expect(tableOf(effective, changeOf("pickupLfdTerminal", null, other))).toContain("carrier first");
});
