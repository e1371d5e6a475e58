/** How dates are written: 25 Nov 2026, Nov 25, 2026, or 2026-11-25. */
const dateOrders = ["day_month_year", "month_day_year", "year_month_day"] as const;
const clocks = ["24_hour", "12_hour"] as const;
const unitSystems = ["metric", "imperial"] as const;

/** How a member reads dates, times and weights. */
export interface DisplayPreferences {
  readonly dateOrder: (typeof dateOrders)[number];
  readonly clock: (typeof clocks)[number];
  readonly units: (typeof unitSystems)[number];
}

export const defaultPreferences: DisplayPreferences = {
  dateOrder: "day_month_year",
  clock: "24_hour",
  units: "metric",
};

const parseChoice = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text);

/** Preferences from stored or submitted texts; a text that is none of the choices is the default. */
export function readPreferences(texts: {
  readonly dateOrder: string | null;
  readonly clock: string | null;
  readonly units: string | null;
}): DisplayPreferences {
  return {
    dateOrder: parseChoice(dateOrders, texts.dateOrder) ?? defaultPreferences.dateOrder,
    clock: parseChoice(clocks, texts.clock) ?? defaultPreferences.clock,
    units: parseChoice(unitSystems, texts.units) ?? defaultPreferences.units,
  };
}

const kilogramsPerPound = 0.453_592_37;

/** "12,345 lb" or "5,600 kg". */
export function weightText(pounds: number, units: DisplayPreferences["units"]): string {
  const value = units === "metric" ? Math.round(pounds * kilogramsPerPound) : pounds;
  return `${value.toLocaleString("en-GB")} ${units === "metric" ? "kg" : "lb"}`;
}
