import type { Request } from "express";

/** Submitted values of a form, always as text; absent fields are empty. */
export interface FormValues {
  /** Trimmed; the last of several values. */
  text(name: string): string;
  /** Untrimmed, for passwords. */
  exact(name: string): string;
  /** All values of the field, for groups of checkboxes. */
  all(name: string): readonly string[];
}

export function formValues(request: Request): FormValues {
  const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  const all = (name: string): string[] =>
    Object.hasOwn(body, name) ? [body[name]].flat().filter((value) => typeof value === "string") : [];
  const exact = (name: string): string => all(name).at(-1) ?? "";
  return { all, exact, text: (name) => exact(name).trim() };
}
