import { type Html, html } from "@svc/views";
import { isChangedMeanwhile, type SavedLabels } from "./edit-parts.ts";
import type { FormValues } from "./form-values.ts";

/** A field of a form that edits a record which others may edit at the same time. */
export interface EditedField {
  readonly name: string;
  readonly label: string;
  /** One value per line. */
  readonly isList?: boolean;
  /** How a value is shown; absent: as it is. */
  readonly shownAs?: (value: string) => string;
}

/** Texts by the name of the field. */
export type Texts = ReadonlyMap<string, string>;

export interface MergedEdit {
  /** Texts for the form: the present text of a field that the user left alone, else the entered one. */
  readonly texts: Texts;
  /** Names of the fields that differ from the record. */
  readonly changed: ReadonlySet<string>;
  /** "References: now PO-1, PO-2." for each field that has changed since the form was opened. */
  readonly conflicts: readonly string[];
}

export const splitLines = (text: string): string[] =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

const canonical = ({ isList = false }: EditedField, text: string): string =>
  isList ? splitLines(text).join("\n") : text.replace(/\r\n?/g, "\n").trim();

const beforeName = (name: string): string => `before-${name}`;

/** Hidden fields with the texts that the form was opened with, which `mergeEdit` reads. */
export const beforeInputs = (present: Texts): Html =>
  html`${[...present].map(([name, text]) => html`<input type="hidden" name="${beforeName(name)}" value="${text}">`)}`;

/** Whether the form submits another text than the one that it was opened with. */
export function isEdited(field: EditedField, values: FormValues): boolean {
  const openedWith = values.all(beforeName(field.name));
  const textOf = (lines: readonly string[]) => canonical(field, lines.join("\n"));
  return openedWith.length > 0 && textOf(openedWith) !== textOf(values.all(field.name));
}

/** The present values with those added and without those removed that the user added and removed. */
function mergedLines(texts: { readonly before: string; readonly entered: string; readonly present: string }): string {
  const [before, entered, present] = [splitLines(texts.before), splitLines(texts.entered), splitLines(texts.present)];
  const removed = new Set(before.filter((line) => !entered.includes(line)));
  const added = entered.filter((line) => !before.includes(line));
  return [...new Set([...present.filter((line) => !removed.has(line)), ...added])].join("\n");
}

function conflictText({ label, isList = false, shownAs = (value) => value }: EditedField, present: string): string {
  const values = isList ? splitLines(present) : [present].filter((value) => value !== "");
  return `${label}: now ${values.length === 0 ? "empty" : values.map(shownAs).join(", ")}.`;
}

/**
 * Compares what a form submits with the texts that it was opened with (`beforeInputs`; absent: the present ones) and
 * with the present texts of the record, so that saving overwrites nothing that its user has not seen. `readEntered`:
 * the text of a field where it differs from its submitted values.
 */
export function mergeEdit(
  fields: readonly EditedField[],
  values: FormValues,
  present: Texts,
  readEntered: (name: string) => string = (name) => values.all(name).join("\n"),
): MergedEdit {
  const texts = new Map<string, string>();
  const changed = new Set<string>();
  const conflicts: string[] = [];
  for (const one of fields) {
    const canonicalText = (text: string) => canonical(one, text);
    const now = canonicalText(present.get(one.name) ?? "");
    const entered = canonicalText(readEntered(one.name));
    const openedWith = values.all(beforeName(one.name));
    const before = openedWith.length === 0 ? now : canonicalText(openedWith.join("\n"));
    const isOverwritten = before !== now && entered !== now;
    const merged = one.isList && isOverwritten ? mergedLines({ before, entered, present: now }) : entered;
    const text = entered === before ? now : merged;
    texts.set(one.name, text);
    if (text !== now) changed.add(one.name);
    if (isOverwritten) conflicts.push(conflictText(one, now));
  }
  return { texts, changed, conflicts };
}

/** The problem of a form with conflicts. `record`: "shipment". `saved`: fields that are saved all the same. */
export const conflictProblem = (record: string, conflicts: readonly string[], saved: SavedLabels = new Set()): string =>
  [
    `The ${record} was changed while you edited it.`,
    saved.size === 0 ? "Nothing is saved yet." : `Saved: ${[...saved].join(", ")}.`,
    ...conflicts,
    "The form has these values, and what you entered. Save again to keep it.",
  ].join(" ");

const savesMax = 5;

/** Saves by `save`, which reads the record: again when the record changes between its reading and its writing. */
export async function saveOverChanges(save: () => Promise<void>): Promise<void> {
  for (let count = 1; ; count++) {
    try {
      return await save();
    } catch (error) {
      if (!isChangedMeanwhile(error) || count === savesMax) throw error;
    }
  }
}
