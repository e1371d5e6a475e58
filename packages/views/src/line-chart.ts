import { type Html, html } from "./html.ts";

/** A line of a chart. A null value interrupts it. */
interface ChartSeries {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

interface LineChart {
  /** What the chart shows, for screen readers. */
  readonly words: string;
  readonly series: readonly ChartSeries[];
  /** Below the values, from the first to the last at equal distances. */
  readonly labels: readonly string[];
  /** Formats a value of the vertical scale. */
  readonly format: (value: number) => string;
  /** Of the vertical scale. Default: the smallest round number above all values. */
  readonly top?: number;
}

const size = { width: 480, height: 180, left: 96, right: 16, top: 24, bottom: 30 } as const;

/** 1, 2 or 5 times a power of ten, not below the value. */
export function roundTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

/** Lines between neighbouring values; a value without neighbours is a point. */
function lines({ values }: ChartSeries, index: number, x: (at: number) => number, y: (value: number) => number): Html {
  const isSet = (at: number): boolean => values[at] !== null && values[at] !== undefined;
  const path = values.flatMap((value, at) =>
    value === null ? [] : [`${isSet(at - 1) ? "L" : "M"}${x(at)} ${y(value)}`],
  );
  const points = values.flatMap((value, at) =>
    value === null || isSet(at - 1) || isSet(at + 1) ? [] : [html`<circle cx="${x(at)}" cy="${y(value)}" r="3"/>`],
  );
  return html`<g class="line-${index + 1}"><path d="${path.join("")}"/>${points}</g>`;
}

/** So that the first and the last label do not leave the chart. */
function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (index === 0) return "start";
  return index === count - 1 ? "end" : "middle";
}

/** A line chart as SVG, with a legend when it has several lines. It needs no script. */
export function lineChart({ words, series, labels, format, top: given }: LineChart): Html {
  const all = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const top = given ?? roundTop(Math.max(1, ...all));
  const count = Math.max(...series.map(({ values }) => values.length));
  const [right, bottom] = [size.width - size.right, size.height - size.bottom];
  const x = (at: number): number => Math.round(size.left + (at / Math.max(1, count - 1)) * (right - size.left));
  const y = (value: number): number => Math.round(bottom - (Math.min(value, top) / top) * (bottom - size.top));
  const level = (value: number) =>
    html`<path class="grid" d="M${size.left} ${y(value)}H${right}"/><text x="${size.left - 8}" y="${y(value) + 4}" text-anchor="end">${format(value)}</text>`;
  return html`
    <figure class="figure-chart">
      <svg class="chart lines" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${words}">
        ${[0, top / 2, top].map(level)}
        ${series.map((one, index) => lines(one, index, x, y))}
        ${labels.map((text, index) => {
          const at = Math.round(size.left + (index / Math.max(1, labels.length - 1)) * (right - size.left));
          return html`<text x="${at}" y="${size.height - 6}" text-anchor="${anchorOf(index, labels.length)}">${text}</text>`;
        })}
      </svg>
      ${
        series.length > 1 &&
        html`<figcaption class="legend">${series.map(
          ({ name }, index) => html`<span class="key line-key-${index + 1}">${name}</span> `,
        )}</figcaption>`
      }
    </figure>`;
}
