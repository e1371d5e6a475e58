import { expect } from "@jest/globals";
import type { Visit } from "./browser.ts";
import { layoutProblems } from "./sweep.ts";

/** Widths of a phone, a tablet and a desktop. */
const widths = [390, 820, 1440];

/** The page has no problem at any width, and a picture at each. */
export async function capture(visit: Visit, name: string): Promise<void> {
  for (const width of widths) {
    await visit.page.setViewportSize({ width, height: 900 });
    expect([name, width, await layoutProblems(visit.page)]).toEqual([name, width, []]);
    await visit.picture(`${name}-${width}`);
  }
  expect(await visit.accessibilityProblems()).toEqual([]);
}
