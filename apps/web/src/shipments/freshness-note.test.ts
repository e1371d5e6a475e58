import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { Shipment } from "@svc/domain/shipments";
import { freshnessNote } from "./freshness-note.ts";

const shipment = { lineTrackingLastSucceededAt: instant("2026-06-01T10:00:00Z") } as Shipment;
const words = (markup: unknown): string => String(markup).replace(/<[^>]*>/g, "");

test("warns of stale data with the last reply, shows the last update of fresh data, and nothing when not polled", () => {
  expect(words(freshnessNote("fresh", shipment))).toBe("Last carrier update Mon, 1 Jun 2026, 10:00 UTC.");
  expect(words(freshnessNote("stale", shipment))).toContain(
    "may be out of date. Last reply: Mon, 1 Jun 2026, 10:00 UTC.",
  );
  expect(words(freshnessNote("silent", shipment))).toContain("no updates for unusually long");
  expect(freshnessNote(null, shipment)).toBeNull();
});
