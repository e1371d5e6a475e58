import { expect, test } from "@jest/globals";
import { type Instant, instant } from "@svc/domain";
import { visibleText } from "../testing/visible-text.ts";
import { daysFromToday, lastFreeDayFact, lastFreeDayNote } from "./last-free-day.ts";

const zone = "Europe/Berlin";
const container = {
  pickupLfd: instant("2026-12-19T23:00:00Z"),
  pickupLfdLine: instant("2026-12-19T23:00:00Z"),
  pickupLfdTerminal: instant("2026-12-16T23:00:00Z"),
  pickupLfdRail: null,
  finalDestinationTimezone: null,
  podFullOutAt: null as Instant | null,
  finalDestinationFullOutAt: null,
  lastFreeDayByRule: null as string | null,
};

const render = (at: string, changes: Partial<typeof container> = {}) =>
  String(lastFreeDayFact({ ...container, ...changes }, zone, instant(at)));

test("the earliest last free day applies, and the others follow with their sources", () => {
  expect(visibleText(render("2026-12-10T08:00:00Z")).trim()).toBe(
    "Thu, 17 Dec 2026 in 7 days by the terminal by the carrier: Sun, 20 Dec 2026",
  );
});

test("the day of a demurrage rule is named as such, and applies if it is the earliest", () => {
  const now = "2026-12-10T08:00:00Z";
  expect(visibleText(render(now, { lastFreeDayByRule: "2026-12-16" })).trim()).toBe(
    "Wed, 16 Dec 2026 in 6 days by your demurrage rule by the terminal: Thu, 17 Dec 2026 by the carrier: Sun, 20 Dec 2026",
  );
  expect(visibleText(render(now, { lastFreeDayByRule: "2026-12-18" }))).toContain(
    "by your demurrage rule: Fri, 18 Dec 2026",
  );
  const alone = { lastFreeDayByRule: "2026-12-16", pickupLfd: null, pickupLfdLine: null, pickupLfdTerminal: null };
  expect(visibleText(render(now, alone as unknown as Partial<typeof container>)).trim()).toBe(
    "Wed, 16 Dec 2026 in 6 days by your demurrage rule",
  );
});

test("the day of the return by a rule is no last free day of a container that is picked up", () => {
  const pickedUp = { podFullOutAt: instant("2026-12-15T08:00:00Z"), lastFreeDayByRule: "2026-12-16" };
  expect(visibleText(render("2026-12-16T08:00:00Z", pickedUp)).trim()).toBe(
    "Thu, 17 Dec 2026 by the terminal by the carrier: Sun, 20 Dec 2026",
  );
});

test("it is amber shortly before, red from the last day on, and plain once the container is picked up", () => {
  expect(render("2026-12-15T08:00:00Z")).toContain('<span class="soon below">in 2 days</span>');
  // Midnight in Berlin has passed.
  expect(render("2026-12-16T23:30:00Z")).toContain('<span class="late below">today</span>');
  expect(render("2026-12-24T08:00:00Z")).toContain('<span class="late below">7 days ago</span>');
  expect(render("2026-12-24T08:00:00Z", { podFullOutAt: instant("2026-12-15T08:00:00Z") })).not.toMatch(
    /late|soon|ago/,
  );
});

test("the same day by several sources is shown once, and a day without a source as that of the carrier", () => {
  const line = container.pickupLfdTerminal;
  expect(visibleText(render("2026-12-10T08:00:00Z", { pickupLfdLine: line })).trim()).toBe(
    "Thu, 17 Dec 2026 in 7 days",
  );
  const none = { pickupLfdLine: null, pickupLfdTerminal: null } as unknown as Partial<typeof container>;
  expect(visibleText(render("2026-12-10T08:00:00Z", none)).trim()).toBe("Sun, 20 Dec 2026 in 10 days");
});

test("lists use the same colours", () => {
  const note = (at: string) => String(lastFreeDayNote("2026-12-17", instant(at), zone));
  expect(note("2026-12-15T08:00:00Z")).toContain('class="soon below"');
  expect(note("2026-12-17T08:00:00Z")).toContain('class="late below"');
  expect(note("2026-12-01T08:00:00Z")).toContain('class="muted below"');
});

test("days are named around today", () => {
  expect([-2, -1, 0, 1, 2].map(daysFromToday)).toEqual(["2 days ago", "yesterday", "today", "tomorrow", "in 2 days"]);
});
