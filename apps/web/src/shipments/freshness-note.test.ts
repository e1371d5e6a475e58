import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { Freshness } from "@svc/domain/tracking";
import { freshnessNote, lastReportNote } from "./freshness-note.ts";

const [changedAt, answeredAt] = [instant("2026-06-01T10:00:00Z"), instant("2026-06-04T11:00:00Z")];

const note = (freshness: Freshness | null, changed: typeof changedAt | null = changedAt) =>
  String(freshnessNote({ freshness, changedAt: changed, answeredAt }, instant("2026-06-04T11:07:00Z")) ?? "").replace(
    /<[^>]*>/g,
    "",
  );

test("says what the carrier last reported, and when it was last polled", () => {
  expect(note("fresh")).toBe("Carrier updated 3 days ago · checked 7 minutes ago");
  expect(note("fresh", null)).toBe("Checked 7 minutes ago");
  expect(note(null)).toBe("");
});

test("warns of a carrier that does not reply or reports nothing new", () => {
  expect(note("stale")).toContain("may be out of date. Last reply: Thu, 4 Jun 2026, 11:00 UTC.");
  expect(note("silent")).toContain(
    "no updates for unusually long. Carrier updated 3 days ago · checked 7 minutes ago.",
  );
});

test("warns not again where the page warns of the silence in another place", () => {
  const silent = { freshness: "silent", changedAt, answeredAt } as const;
  const markup = String(lastReportNote(silent, instant("2026-06-04T11:07:00Z")));
  expect(markup).not.toContain("notice");
  expect(markup).toContain("Carrier updated");
  expect(markup).not.toContain("unusually long");
});

test("shows the poll of the terminal in place of that of the carrier, where the container waits", () => {
  const waiting = { freshness: "fresh", changedAt, answeredAt, terminalCheckedAt: answeredAt } as const;
  const text = String(lastReportNote(waiting, instant("2026-06-04T11:07:00Z"))).replace(/<[^>]*>/g, "");
  expect(text).toBe("Carrier updated 3 days ago · terminal checked 7 minutes ago");
});
