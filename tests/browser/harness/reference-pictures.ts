import fs from "node:fs";
import path from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { repository } from "../../e2e/harness/system.ts";
import { encodeIndexed } from "./indexed-png.ts";

const stored = path.join(repository, "tests/browser/reference-pictures");
const differences = path.join(repository, "tests/browser/screenshots/differences");

/** `npm run pictures` sets it: pictures that differ replace the stored ones. */
const isRenewed = process.env.SVC_RENEW_PICTURES === "true";

/** A share of the largest difference that two colours can have. */
const threshold = 0.02;
/** Pixels that may differ in any square of 32 by 32: those of a rounded corner, which palette and browser may shift. */
const square = 32;
const tolerated = 16;

interface Difference {
  readonly words: string;
  /** The picture with the differing pixels in red; null: the sizes differ. */
  readonly drawing: PNG | null;
}

const fileOf = (name: string): string => path.join(stored, `${name}.png`);

function differenceOf(before: PNG, after: PNG): Difference | null {
  const [width, height] = [after.width, after.height];
  if (before.width !== width || before.height !== height) {
    const words = `is ${width} × ${height} pixels instead of ${before.width} × ${before.height}`;
    return { words, drawing: null };
  }
  if (before.data.equals(after.data)) return null;
  const drawing = new PNG({ width, height });
  const differing = pixelmatch(before.data, after.data, drawing.data, width, height, { threshold, windowSize: square });
  if (differing <= tolerated) return null;
  return {
    words: `differs in up to ${differing} pixels of ${square} × ${square}; ${tolerated} are tolerated`,
    drawing,
  };
}

/** Keeps what was expected, what was found and where they differ, for review. */
function saveDifference(name: string, before: PNG, after: PNG, drawing: PNG | null): void {
  fs.mkdirSync(differences, { recursive: true });
  const save = (kind: string, picture: PNG) =>
    fs.writeFileSync(path.join(differences, `${name}-${kind}.png`), encodeIndexed(picture));
  save("expected", before);
  save("actual", after);
  if (drawing) save("difference", drawing);
}

/** Removes what earlier runs kept. */
export function clearDifferences(): void {
  fs.rmSync(differences, { recursive: true, force: true });
}

/**
 * Compares pictures with the stored one of this name: null when they agree, else the difference in words. `take` is
 * called again when the first picture differs, because it may have been taken before the page was complete.
 */
export async function compareWithStored(name: string, take: () => Promise<Buffer>): Promise<string | null> {
  const file = fileOf(name);
  const before = fs.existsSync(file) ? PNG.sync.read(fs.readFileSync(file)) : null;
  let picture = PNG.sync.read(await take());
  if (before && differenceOf(before, picture) === null) return null;
  // The palette is the one that the picture would be stored with.
  picture = PNG.sync.read(encodeIndexed(PNG.sync.read(await take())));
  const difference = before && differenceOf(before, picture);
  if (before && !difference) return null;
  if (isRenewed) {
    fs.mkdirSync(stored, { recursive: true });
    fs.writeFileSync(file, encodeIndexed(picture));
    return null;
  }
  if (!before || !difference) return `${name}: there is no stored picture`;
  saveDifference(name, before, picture, difference.drawing);
  return `${name} ${difference.words}`;
}

/** The names of stored pictures that are not among these; a renewal deletes them. */
export function picturesBeside(names: ReadonlySet<string>): string[] {
  const others = fs.readdirSync(stored).filter((file) => !names.has(path.basename(file, ".png")));
  if (!isRenewed) return others;
  for (const file of others) fs.rmSync(path.join(stored, file));
  return [];
}
