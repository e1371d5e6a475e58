import type { Page } from "playwright-core";
import { PNG } from "pngjs";

type Colour = readonly [red: number, green: number, blue: number];

/** Edges of marks are blended with what is below. */
const tolerance = 40;

/** The colours of the marks of a map in the theme of the page. */
export async function markColours(page: Page): Promise<readonly Colour[]> {
  const colours = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("span"));
    const values = ["accent", "late", "bad"].map((name) => {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    });
    probe.remove();
    return values;
  });
  return colours.map((colour) => (colour.match(/\d+/g) ?? []).map(Number) as unknown as Colour);
}

function markPixels(picture: Buffer, colours: readonly Colour[]): ReadonlySet<number> {
  const { data } = PNG.sync.read(picture);
  const found = new Set<number>();
  for (let at = 0; at < data.length; at += 4) {
    const isColour = (colour: Colour) =>
      colour.every((part, index) => Math.abs(part - (data[at + index] ?? 0)) < tolerance);
    if (colours.some(isColour)) found.add(at);
  }
  return found;
}

/** Returns the share of marks in both pictures among the pixels of marks in either: 1 if no mark moved. */
export function sharedMarks(first: Buffer, second: Buffer, colours: readonly Colour[]): number {
  const [one, other] = [markPixels(first, colours), markPixels(second, colours)];
  return [...one].filter((pixel) => other.has(pixel)).length / new Set([...one, ...other]).size;
}
