import type { Request } from "express";
import type { FormFile } from "./form-with-files.ts";

/** Submitted values of a form, as text, a file as UTF-8; absent fields are empty. */
export interface FormValues {
  /** Trimmed; the last of several values. */
  text(name: string): string;
  /** Untrimmed, for passwords. */
  exact(name: string): string;
  /** All values of the field, for groups of checkboxes. */
  all(name: string): readonly string[];
  /** The bytes of a file; none when the field is absent or no file. */
  file(name: string): FormFile;
}

const isFile = (value: unknown): value is FormFile =>
  typeof value === "object" && value !== null && Buffer.isBuffer((value as FormFile).bytes);

export function formValues(request: Request): FormValues {
  const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  const valuesOf = (name: string): unknown[] => (Object.hasOwn(body, name) ? [body[name]].flat() : []);
  const all = (name: string): string[] =>
    valuesOf(name).flatMap((value) => {
      if (isFile(value)) return value.bytes.toString("utf8");
      return typeof value === "string" ? value : [];
    });
  const exact = (name: string): string => all(name).at(-1) ?? "";
  return {
    all,
    exact,
    text: (name) => exact(name).trim(),
    file: (name) => valuesOf(name).findLast(isFile) ?? { name: "", bytes: Buffer.alloc(0) },
  };
}
