import { expect, test } from "@jest/globals";
import { addMs, hourMs, instant } from "../instant.ts";
import { exceptionKinds, exceptionPriority, exceptionStatus } from "./exception.ts";

const now = instant("2026-06-10T12:00:00.000Z");

test("priority orders by kind, then by days; of last free days to come the nearest first", () => {
  const priorities = [
    exceptionPriority({ kind: "last_free_day_over", details: { days: 5000 } }),
    exceptionPriority({ kind: "last_free_day_over", details: { days: 1 } }),
    exceptionPriority({ kind: "last_free_day_soon", details: { days: 1 } }),
    exceptionPriority({ kind: "last_free_day_soon", details: { days: 3 } }),
    exceptionPriority({ kind: exceptionKinds.at(-1) ?? "fee", details: {} }),
  ];
  expect(priorities.toSorted((a, b) => b - a)).toEqual(priorities);
  expect(priorities.at(-1)).toBeGreaterThan(0);
});

test("a snoozed exception is open again when the time has come", () => {
  const snoozed = { resolvedAt: null, snoozedUntil: addMs(now, hourMs) };
  expect(exceptionStatus(snoozed, now)).toBe("snoozed");
  expect(exceptionStatus(snoozed, addMs(now, hourMs))).toBe("open");
  expect(exceptionStatus({ ...snoozed, resolvedAt: now }, now)).toBe("resolved");
});
