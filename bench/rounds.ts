export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** The goal of a measurement; for a comparison, of our number or of the ratio. */
export interface Aim {
  readonly of?: "ours" | "ratio";
  readonly atMost?: number;
  readonly atLeast?: number;
}

/**
 * One comparison: ours against the bare baseline, several rounds, the two in turn so that drift of the machine hits
 * both.
 */
export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly rounds: readonly { readonly ours: number; readonly bare: number; readonly note?: string }[];
  readonly aim?: Aim;
}

/** A rate without a baseline. */
export interface Rate {
  readonly name: string;
  readonly unit: string;
  /** One for each round. */
  readonly rates: readonly number[];
  readonly note: string;
  readonly aim?: Aim;
}

/** Results without a summary, as Markdown. */
export interface Reading {
  readonly name: string;
  readonly lines: readonly string[];
}

export type Measurement = Comparison | Rate | Reading;

const formatNumber = (value: number) => (value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(2));

export function ratios(comparison: Comparison): number[] {
  return comparison.rounds.map((round) => round.ours / round.bare);
}

/** A summary, then every round as measured. */
function comparisonTables(comparisons: readonly Comparison[]): string[] {
  if (comparisons.length === 0) return [];
  const summary = comparisons.map((comparison) => {
    const all = ratios(comparison);
    const ours = formatNumber(median(comparison.rounds.map((round) => round.ours)));
    const bare = formatNumber(median(comparison.rounds.map((round) => round.bare)));
    const spread = `${Math.min(...all).toFixed(2)}–${Math.max(...all).toFixed(2)}`;
    return `| ${comparison.name} | ${ours} | ${bare} | ${comparison.unit} | **${median(all).toFixed(2)}** | ${spread} |`;
  });
  const raw = comparisons.flatMap((comparison) =>
    comparison.rounds.map(
      (round, index) =>
        `| ${comparison.name} | ${index + 1} | ${formatNumber(round.ours)} | ${formatNumber(round.bare)} | ${(round.ours / round.bare).toFixed(2)} | ${round.note ?? ""} |`,
    ),
  );
  return [
    "| Benchmark | ours (median) | bare (median) | unit | ratio (median) | spread |",
    "|---|---|---|---|---|---|",
    ...summary,
    "",
    "| Benchmark | round | ours | bare | ratio | note |",
    "|---|---|---|---|---|---|",
    ...raw,
    "",
  ];
}

function rateLine({ name, unit, rates, note }: Rate): string {
  const spread = `${formatNumber(Math.min(...rates))}–${formatNumber(Math.max(...rates))}`;
  return `- ${name}: **${formatNumber(median(rates))}** ${unit}, median of ${rates.length} rounds (${spread}; ${note})`;
}

function comparedValues(measurement: Comparison | Rate, of: NonNullable<Aim["of"]>): readonly number[] {
  if ("rates" in measurement) return measurement.rates;
  return of === "ratio" ? ratios(measurement) : measurement.rounds.map((round) => round.ours);
}

function aimLine(measurement: Comparison | Rate, { of = "ours", atMost, atLeast }: Aim): string {
  const isRatio = "rounds" in measurement && of === "ratio";
  const values = comparedValues(measurement, of);
  const worst = atLeast === undefined ? Math.max(...values) : Math.min(...values);
  const middle = median(values);
  const met = middle <= (atMost ?? Infinity) && middle >= (atLeast ?? -Infinity);
  const limit = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
  const unit = isRatio ? "ratio" : measurement.unit;
  return `| ${measurement.name} | ${unit} | ${limit} | ${formatNumber(middle)} | ${formatNumber(worst)} | ${met ? "yes" : "**no**"} |`;
}

/** All measurements with an aim in one table; empty when there are none. */
function aimTable(measurements: readonly (Comparison | Rate)[]): string[] {
  const lines = measurements.flatMap((measurement) => (measurement.aim ? [aimLine(measurement, measurement.aim)] : []));
  if (lines.length === 0) return [];
  return ["| Goal | unit | aim | median | worst round | reached |", "|---|---|---|---|---|---|", ...lines, ""];
}

/** The results as Markdown: measurements with an aim, comparisons as tables, then a line for each rate. */
export function toMarkdown(measurements: readonly Measurement[]): string {
  const comparisons = measurements.filter((measurement) => "rounds" in measurement);
  const rates = measurements.filter((measurement) => "rates" in measurement);
  const readings = measurements.filter((measurement) => "lines" in measurement);
  const sections = readings.flatMap(({ name, lines }) => ["", `### ${name}`, "", ...lines]);
  return [
    ...aimTable([...comparisons, ...rates]),
    ...comparisonTables(comparisons),
    ...rates.map(rateLine),
    ...sections,
  ]
    .join("\n")
    .trim();
}
