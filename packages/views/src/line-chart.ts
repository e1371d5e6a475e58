import { acrossPlot, chartFrame, plotWidth } from "./chart-frame.ts";
import { type Html, html } from "./html.ts";

/** A line of a chart. A null value interrupts it. */
interface ChartSeries {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

interface LineChart {
  /** Text alternative of the chart, for screen readers. */
  readonly description: string;
  readonly series: readonly ChartSeries[];
  /** Labels below the values, from the first to the last at equal distances. */
  readonly labels: readonly string[];
  /** Formats a value of the vertical scale. */
  readonly format: (value: number) => string;
  /** Upper end of the vertical scale. Default: the smallest round number above all values. */
  readonly top?: number;
}

/** CSS pixels. */
const size = { height: 200, top: 16, bottom: 30 } as const;

/** 1, 2, 4 or 6 times a power of ten, not below the value, and even: the line at half of it is a whole number, too. */
export function roundTop(value: number): number {
  const clamped = Math.max(value, 2);
  const power = 10 ** Math.floor(Math.log10(clamped));
  return ([1, 2, 4, 6, 10].find((factor) => factor * power >= clamped) ?? 10) * power;
}

/** Lines between neighbouring values; a value without neighbours is a point. */
function lines({ values }: ChartSeries, index: number, x: (at: number) => number, y: (value: number) => number) {
  const isSet = (at: number): boolean => values[at] !== null && values[at] !== undefined;
  const path = values.flatMap((value, at) =>
    value === null ? [] : [`${isSet(at - 1) ? "L" : "M"}${x(at)} ${y(value)}`],
  );
  const points = values.flatMap((value, at) =>
    value === null || isSet(at - 1) || isSet(at + 1)
      ? []
      : [html`<circle cx="${acrossPlot(x(at))}" cy="${y(value)}" r="3"/>`],
  );
  const className = `line-${index + 1}`;
  return {
    curve: html`<path class="${className}" d="${path.join("")}"/>`,
    points: html`<g class="${className}">${points}</g>`,
  };
}

/** A line chart as SVG, with a legend when it has several lines. It needs no script. */
export function lineChart({ description, series, labels, format, top: requestedTop }: LineChart): Html {
  const all = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const top = requestedTop ?? roundTop(Math.max(1, ...all));
  const count = Math.max(...series.map(({ values }) => values.length));
  const bottom = size.height - size.bottom;
  const x = (at: number): number => Math.round((at / Math.max(1, count - 1)) * plotWidth);
  const y = (value: number): number => Math.round(bottom - (Math.min(value, top) / top) * (bottom - size.top));
  const drawn = series.map((one, index) => lines(one, index, x, y));
  return html`
    <figure class="figure-chart">
      ${chartFrame({
        description,
        height: size.height,
        levels: [0, top / 2, top].map((value) => ({ y: y(value), text: format(value) })),
        labels,
        curves: html`${drawn.map(({ curve }) => curve)}`,
        points: html`${drawn.map(({ points }) => points)}`,
      })}
      ${
        series.length > 1 &&
        html`<figcaption class="legend">${series.map(
          ({ name }, index) => html`<span class="key line-key-${index + 1}">${name}</span> `,
        )}</figcaption>`
      }
    </figure>`;
}
