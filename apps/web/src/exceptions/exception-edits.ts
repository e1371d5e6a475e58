import { addMs, dayMs, type Instant, startOfLocalDate } from "@svc/domain";
import { isDay } from "@svc/domain/saved-views";
import type { ExceptionEdit, ExceptionResource } from "@svc/sdk";
import type { FormValues } from "../forms/form-values.ts";
import { type MergedEdit, mergeEdit, type Texts } from "../forms/merge-edit.ts";
import { readerZone } from "../times/reader-zone.ts";
import { snoozeDays, snoozeUntil } from "./exception-actions.ts";

const daysByAction: ReadonlyMap<string, number> = new Map(Object.entries(snoozeDays));

const snooze = (now: Instant, days: number): ExceptionEdit => ({ snoozedUntil: addMs(now, days * dayMs) });

/** Start of a day, as a date field submits it, in the zone of the reader; null: no date. */
const startOfDay = (date: string): Instant | null =>
  isDay(date) ? startOfLocalDate(date, readerZone() ?? "UTC") : null;

/** The edit that a button submits; null for an unknown action. The API refuses who is no member. */
export function editOf(form: FormValues, email: string, now: Instant): ExceptionEdit | null {
  const action = form.text("action");
  if (action === "take") return { owner: email };
  if (action === "assign") return { owner: form.text("owner") };
  if (action === "release") return { owner: null };
  if (action === "resolve") return { status: "resolved" };
  if (action === "open") return { status: "open" };
  if (action === snoozeUntil) {
    const until = startOfDay(form.text("until"));
    return until && { snoozedUntil: until };
  }
  const days = daysByAction.get(action);
  return days === undefined ? null : snooze(now, days);
}

/**
 * The edit that the form of the page submits with the button of the note. Where it offers an owner to assign, an empty
 * one is no choice. The form of the previous version, known by its `snooze`, had the owner and the snooze as fields;
 * during a rolling upgrade it is still submitted.
 */
export function savedEdit({ attributes }: ExceptionResource, form: FormValues, now: Instant): ExceptionEdit {
  const owner = form.text("owner");
  const [snoozeChoice] = form.all("snooze");
  const hasOwner = owner !== "" || snoozeChoice !== undefined;
  const days = Object.values(snoozeDays).find((one) => String(one) === snoozeChoice);
  return {
    ...(hasOwner && owner !== (attributes.owner ?? "") && { owner: owner || null }),
    ...(days !== undefined && snooze(now, days)),
  };
}

/** Texts of the page of an exception that others may edit at the same time. */
export const exceptionTexts = ({ attributes: { owner, note } }: ExceptionResource): Texts =>
  new Map(Object.entries({ owner: owner ?? "", note: note ?? "" }));

export const noteField = { name: "note", label: "Note" };
const ownerField = { name: "owner", label: "Owner" };

/**
 * Compares the note that the page of an exception submits with what it was opened with, and the owner where the button
 * changes it: the other actions do not depend on the owner.
 */
export function mergePageEdit(exception: ExceptionResource, form: FormValues, edit: ExceptionEdit | null): MergedEdit {
  const isAssignment = edit !== null && "owner" in edit;
  const fields = isAssignment ? [ownerField, noteField] : [noteField];
  const readEntered = (name: string) => (name === "owner" ? (edit?.owner ?? "") : form.text(name));
  return mergeEdit(fields, form, exceptionTexts(exception), readEntered);
}
