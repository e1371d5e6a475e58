import { type Html, html } from "./html.ts";
import { roundTop } from "./line-chart.ts";

interface BarRow {
  readonly label: string;
  readonly value: number;
  /** A second value, drawn as a mark beyond the bar. */
  readonly mark: number | null;
}

const width = 480;
const rowHeight = 48;
const bottom = 32;

/** Horizontal bars as SVG, one for each row, with a mark for the second value. It needs no script. */
export function barChart(options: {
  /** What the chart shows, for screen readers. */
  readonly words: string;
  readonly rows: readonly BarRow[];
  readonly format: (value: number) => string;
}): Html {
  const { words, rows, format } = options;
  const top = roundTop(Math.max(1, ...rows.flatMap(({ value, mark }) => [value, mark ?? 0])));
  const x = (value: number): number => Math.round((value / top) * (width - 24)) + 4;
  const height = rows.length * rowHeight + bottom;
  const row = ({ label, value, mark }: BarRow, index: number) => {
    const y = index * rowHeight;
    return html`
      <text x="4" y="${y + 22}">${label}</text>
      <text class="value" x="${width - 8}" y="${y + 22}" text-anchor="end">${format(value)}</text>
      <rect x="4" y="${y + 30}" width="${Math.max(1, x(value) - 4)}" height="10" rx="2"/>
      ${mark !== null && html`<path class="mark" d="M${x(mark)} ${y + 27}V${y + 43}"/>`}`;
  };
  return html`
    <svg class="chart bars" viewBox="0 0 ${width} ${height}" role="img" aria-label="${words}">
      ${rows.map(row)}
      <path class="grid" d="M4 ${height - bottom + 2}H${x(top)}"/>
      <text x="4" y="${height - 6}">0</text>
      <text x="${x(top)}" y="${height - 6}" text-anchor="end">${format(top)}</text>
    </svg>`;
}
