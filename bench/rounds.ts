export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** One comparison: ours against the bare baseline, several rounds, the two in turn so that drift of the machine hits both. */
export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly rounds: readonly { readonly ours: number; readonly bare: number; readonly note?: string }[];
}

export function ratios(comparison: Comparison): number[] {
  return comparison.rounds.map((round) => round.ours / round.bare);
}

/** The comparisons as a Markdown section: a summary, then every round as measured. */
export function toMarkdown(comparisons: readonly Comparison[]): string {
  const number = (value: number) => (value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toFixed(2));
  const summary = comparisons.map((comparison) => {
    const all = ratios(comparison);
    const ours = number(median(comparison.rounds.map((round) => round.ours)));
    const bare = number(median(comparison.rounds.map((round) => round.bare)));
    const spread = `${Math.min(...all).toFixed(2)}–${Math.max(...all).toFixed(2)}`;
    return `| ${comparison.name} | ${ours} | ${bare} | ${comparison.unit} | **${median(all).toFixed(2)}** | ${spread} |`;
  });
  const raw = comparisons.flatMap((comparison) =>
    comparison.rounds.map(
      (round, index) =>
        `| ${comparison.name} | ${index + 1} | ${number(round.ours)} | ${number(round.bare)} | ${(round.ours / round.bare).toFixed(2)} | ${round.note ?? ""} |`,
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
  ].join("\n");
}
