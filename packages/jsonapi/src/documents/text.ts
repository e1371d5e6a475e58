import { readInstant } from "@svc/domain";
import { z } from "zod";

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters.
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/** The fault of a text that cannot be stored or shown unchanged, or null. `maxLength` in characters. */
export function textProblem(text: string, maxLength: number): { code: "blank" | "invalid"; detail: string } | null {
  if (text.trim() === "") return { code: "blank", detail: "must not be empty" };
  if (!text.isWellFormed()) return { code: "invalid", detail: "must be well-formed Unicode (it has a lone surrogate)" };
  if (controlCharacter.test(text)) return { code: "invalid", detail: "must not contain control characters" };
  if ([...text].length > maxLength) return { code: "invalid", detail: `must have at most ${maxLength} characters` };
  return null;
}

/** Text of a request, normalized to NFC (docs/contract/decisions.md 2, Sizes). */
export const text = (maxLength: number) =>
  z
    .string()
    .meta({ minLength: 1, maxLength })
    .superRefine((value, context) => {
      const problem = textProblem(value.normalize("NFC"), maxLength);
      if (problem) context.addIssue({ code: "custom", message: problem.detail, params: { fault: problem.code } });
    })
    .transform((value) => value.normalize("NFC"));

/** Text with line breaks, which become line feeds. */
export const multilineText = (maxLength: number) =>
  z
    .string()
    .meta({ minLength: 1, maxLength })
    .transform((value) => value.normalize("NFC").replace(/\r\n?/g, "\n"))
    .superRefine((value, context) => {
      const problem = textProblem(value.replaceAll("\n", " "), maxLength);
      if (problem) context.addIssue({ code: "custom", message: problem.detail, params: { fault: problem.code } });
    });

/** `text`, where empty text means none. */
export const textOrEmpty = (maxLength: number) => z.union([z.literal(""), text(maxLength)]);

/** A time with its offset, as RFC 3339 writes it. Its format allows the year 0, which PostgreSQL does not. */
export const writtenTime = z.iso
  .datetime({ offset: true, abort: true })
  .refine((value) => readInstant(value) !== null, { message: "must be a time such as 2026-11-21T10:00:00Z" });

/** A date without a time. Its format, too, allows the year 0. */
export const writtenDate = z.iso.date({ abort: true }).refine((value) => value >= "0001-01-01", {
  message: "must be a date from 0001-01-01 on, such as 2026-11-21",
});

/** Reference numbers of shipments, containers and tracking requests (docs/contract/decisions.md 2, Sizes). */
export const refNumbers = z.array(text(100)).max(100);

/** Tags of a shipment: unique (docs/contract/specification.md limits.2). */
export const tags = z
  .array(text(50))
  .max(100)
  .meta({ uniqueItems: true })
  .superRefine((values, context) => {
    const repeated = values.filter((value, index) => values.indexOf(value) !== index);
    if (repeated.length > 0) {
      const names = [...new Set(repeated)].map((value) => JSON.stringify(value)).join(", ");
      context.addIssue({ code: "custom", message: `must be unique; repeated: ${names}` });
    }
  });
