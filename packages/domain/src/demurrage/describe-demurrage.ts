import { countText } from "../count-text.ts";
import type { LocalDate } from "../local-time.ts";
import type { CountedDay, DemurrageCharge } from "./compute-demurrage.ts";
import type { CountingEnd, CountingStart, DemurrageKind } from "./demurrage-rule.ts";

const dateFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const date = (day: LocalDate): string => dateFormat.format(Date.parse(day));

/** "Vessel arrived": as on pages and in explanations. */
export const countingStartLabels: Readonly<Record<CountingStart, string>> = {
  vessel_arrived: "Vessel arrived",
  discharged: "Discharged",
  available: "Available for pickup",
  full_out: "Picked up",
  empty_out: "Empty container picked up",
  full_in: "Full gate-in",
};

/** Noun phrases within a sentence: "from the discharge". */
export const countingStartEvents: Readonly<Record<CountingStart, string>> = {
  vessel_arrived: "the arrival of the vessel",
  discharged: "the discharge",
  available: "the availability for pickup",
  full_out: "the pickup",
  empty_out: "the pickup of the empty container",
  full_in: "the full gate-in",
};

const countingEndLabels: Readonly<Record<CountingEnd, string>> = {
  full_out: "Picked up",
  empty_returned: "Empty container returned",
  vessel_loaded: "Loaded on the vessel",
  full_in: "Full gate-in",
};

export const demurrageKindLabels: Readonly<Record<DemurrageKind, string>> = {
  demurrage: "Demurrage",
  detention: "Detention",
  per_diem: "Per diem",
};

/** "3 × 75.00 + 1 × 150.00": days of one rate together. */
function rates(days: readonly CountedDay[]): string {
  const groups: { amount: string; count: number }[] = [];
  for (const { amount } of days) {
    const last = groups.at(-1);
    if (last?.amount === amount) last.count++;
    else groups.push({ amount, count: 1 });
  }
  return groups.map(({ amount, count }) => `${count} × ${amount}`).join(" + ");
}

function freeTime({ freeDays, freeDaysUsed, lastFreeDay, days }: DemurrageCharge): string {
  const skipped = days.filter(({ free, number }) => free !== null && number === null).length;
  const without = skipped === 0 ? "" : `, ${countText(skipped, "day")} not counted as weekend or holiday`;
  const last = lastFreeDay === null ? "" : `, last free day ${date(lastFreeDay)}`;
  return `${freeDaysUsed} of ${countText(freeDays, "day")} free used${without}${last}.`;
}

function charged({ chargedDays, amount, currencyCode, days }: DemurrageCharge): string {
  if (chargedDays === 0) return "Nothing charged.";
  const breakdown = rates(days.filter(({ free }) => free === null));
  return `${countText(chargedDays, "day")} charged: ${breakdown} = ${amount} ${currencyCode}.`;
}

/** How the amount came about, in sentences. `leftByRail`: the container left the port of discharge on a train. */
export function describeDemurrage(charge: DemurrageCharge, leftByRail: boolean): string {
  const { status, startDay, countingStart, countingEnd, amountPerDay, currencyCode } = charge;
  if (startDay === null) {
    return `Counting has not started: ${countingStartEvents[countingStart]} was not reported.`;
  }
  const end = leftByRail && countingEnd === "full_out" ? "Left the port by rail" : countingEndLabels[countingEnd];
  const ends = {
    waiting: "",
    free: `Then ${amountPerDay} ${currencyCode} per day.`,
    charged: `The next day charged costs ${amountPerDay} ${currencyCode}.`,
    ended: `Counting has ended: ${end.toLowerCase()}.`,
    stopped: "Tracking stopped before the end was reported.",
  } as const;
  const counted = `${countingStartLabels[countingStart]}; counted from ${date(startDay)}.`;
  return [counted, freeTime(charge), charged(charge), ends[status]].join(" ");
}
