import { z } from "zod";
import { text } from "../documents/text.ts";

/** The values of custom fields. The definition decides which type is valid. */
export const customFieldValue = z.union([text(255), z.number(), z.boolean(), z.array(text(100)).max(100)]);

export const valueOrDefault = customFieldValue
  .optional()
  .describe("Value of the field. Default: that of the definition.");

export const apiSlug = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/)
  .describe("Lower-case letters, digits and underscores, starting with a letter.");

/** Bounds of a number, or of a short text's length. */
export const CustomFieldValidationObject = z.strictObject({
  min: z.number().optional(),
  max: z.number().optional(),
  min_length: z.number().int().min(0).max(255).optional(),
  max_length: z.number().int().min(1).max(255).optional(),
});
