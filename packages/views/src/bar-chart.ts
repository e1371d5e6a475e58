import { type Html, html } from "./html.ts";
import { roundTop } from "./line-chart.ts";

interface BarRow {
  readonly label: string;
  readonly value: number;
  /** A second value, drawn as a mark beyond the bar. */
  readonly mark: number | null;
}

/** CSS pixels. */
const rowHeight = 44;
const bottom = 26;

/** Horizontal bars as SVG, one for each row, with a mark for the second value. It needs no script. */
export function barChart(options: {
  /** Text alternative of the chart, for screen readers. */
  readonly description: string;
  readonly rows: readonly BarRow[];
  readonly format: (value: number) => string;
}): Html {
  const { description, rows, format } = options;
  const top = roundTop(Math.max(1, ...rows.flatMap(({ value, mark }) => [value, mark ?? 0])));
  /** Returns a value as a share of the width of the card. */
  const percent = (value: number): string => `${Math.round((value / top) * 1_000) / 10}%`;
  const height = rows.length * rowHeight + bottom;
  const row = ({ label, value, mark }: BarRow, index: number) => {
    const y = index * rowHeight;
    return html`
      <text y="${y + 18}">${label}</text>
      <text class="value" x="100%" y="${y + 18}" text-anchor="end">${format(value)}</text>
      <rect y="${y + 27}" width="${percent(value)}" height="10" rx="2"/>
      ${mark !== null && html`<rect class="second" x="${percent(mark)}" y="${y + 24}" width="2" height="16"/>`}`;
  };
  return html`
    <svg class="chart bars" height="${height}" role="img" aria-label="${description}">
      ${rows.map(row)}
      <line class="grid" x2="100%" y1="${height - bottom + 2}" y2="${height - bottom + 2}"/>
      <text y="${height - 6}">0</text>
      <text x="50%" y="${height - 6}" text-anchor="middle">${format(top / 2)}</text>
      <text x="100%" y="${height - 6}" text-anchor="end">${format(top)}</text>
    </svg>`;
}
