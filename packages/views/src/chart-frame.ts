import { type Html, html } from "./html.ts";

/** Width of the coordinates in which curves are drawn; on the page they fill the width of the card. */
export const plotWidth = 1000;

export interface ChartFrame {
  /** Text alternative of the chart, for screen readers. */
  readonly description: string;
  /** Besides those of every chart. */
  readonly className?: string;
  /** CSS pixels. */
  readonly height: number;
  /** Lines of the vertical scale, at a height in CSS pixels. */
  readonly levels: readonly { readonly y: number; readonly text: string }[];
  /** Below, from the left to the right edge at equal distances. */
  readonly labels: readonly string[];
  /** Paths, 0 to `plotWidth` wide and in CSS pixels high. */
  readonly curves: Html;
  /** Shapes that keep their form: placed by `acrossPlot`. */
  readonly points: Html;
}

/** A place between 0 and `plotWidth` for shapes and texts, which are not stretched. */
export const acrossPlot = (x: number): string => `${x / (plotWidth / 100)}%`;

/** Returns the anchor with which the first and the last label do not leave the chart. */
function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (index === 0) return "start";
  return index === count - 1 ? "end" : "middle";
}

/** An SVG whose curves are stretched to the width of the card, but neither its texts nor the width of its lines. */
export function chartFrame({ description, className, height, levels, labels, curves, points }: ChartFrame): Html {
  const level = ({ y, text }: ChartFrame["levels"][number]) =>
    html`<line class="grid" x2="100%" y1="${y}" y2="${y}"/>
      <text x="-8" y="${y + 4}" text-anchor="end">${text}</text>`;
  const last = labels.length - 1;
  const label = (text: string, index: number) => {
    // Every second one is left out on a narrow screen, but not the last of two.
    const isBetween = last > 1 && index % 2 === 1;
    const x = acrossPlot(Math.round((index / Math.max(1, last)) * plotWidth));
    const anchor = anchorOf(index, labels.length);
    const classAttribute = isBetween && html` class="between"`;
    return html`<text${classAttribute} x="${x}" y="${height - 6}" text-anchor="${anchor}">${text}</text>`;
  };
  return html`
    <svg class="chart lines${className && ` ${className}`}" height="${height}" role="img" aria-label="${description}">
      ${levels.map(level)}
      <svg viewBox="0 0 ${plotWidth} ${height}" width="100%" height="${height}"
        preserveAspectRatio="none">${curves}</svg>
      ${points}
      ${labels.map(label)}
    </svg>`;
}
