import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { ChangeRecord, ContainerRecord } from "./api-records.ts";
import { hasOwnEta, withOwnEstimates } from "./container-estimates.ts";

const changes = (...days: readonly string[]) =>
  days.map((day) => ({ validFrom: instant(`2026-06-${day}T00:00:00Z`) }) as ChangeRecord);

test("a container has the ETA history of the shipment until it has one of its own", () => {
  expect(withOwnEstimates(changes("20", "10"), changes("15", "10", "05"))).toEqual(changes("20", "10", "05"));
  expect(withOwnEstimates([], changes("15"))).toEqual([]);
});

test("the ETA of the shipment is that of its last container", () => {
  const podEtaAt = instant("2026-07-01T00:00:00Z");
  const container = (at: string | null) => ({ podEtaAt: at }) as ContainerRecord;
  expect(hasOwnEta(container("2026-06-28T00:00:00.000Z"), { podEtaAt })).toBe(true);
  expect(hasOwnEta(container(podEtaAt), { podEtaAt })).toBe(false);
  expect(hasOwnEta(container(null), { podEtaAt })).toBe(false);
});
