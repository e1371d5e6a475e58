import type { Request } from "express";

/** What a form sent, always as text; absent fields are empty. */
export interface FormValues {
  /** Without white space at both ends; the last of several. */
  text(name: string): string;
  /** As it was typed, for passwords. */
  exact(name: string): string;
  /** Every value of the name, for groups of checkboxes. */
  all(name: string): readonly string[];
}

export function formValues(request: Request): FormValues {
  const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  const all = (name: string): string[] =>
    Object.hasOwn(body, name) ? [body[name]].flat().filter((value) => typeof value === "string") : [];
  const exact = (name: string): string => all(name).at(-1) ?? "";
  return { all, exact, text: (name) => exact(name).trim() };
}
