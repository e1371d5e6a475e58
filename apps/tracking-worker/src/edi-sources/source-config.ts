import { findPartnerProfile } from "@svc/edi";
import { z } from "zod";

export const sourceName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,49}$/, "must be lower-case letters, digits and hyphens");

/** To which account the files of a source belong, how they are read, and how often it is polled. */
export const ofPartner = {
  accountId: z.uuid(),
  partner: z
    .string()
    .default("standard")
    .refine((name) => findPartnerProfile(name) !== null, "is no partner profile; see docs/edi.md"),
  scac: z
    .string()
    .regex(/^[A-Z]{4}$/, "must be a SCAC")
    .nullable()
    .default(null),
  pollSeconds: z.int().min(10).max(86_400).default(60),
};

/** A JSON array of sources. Issues have no values, because there are secrets among them. */
export function jsonList<Source extends { readonly name: string }>(source: z.ZodType<Source>) {
  const list = z
    .array(source)
    .refine((sources) => new Set(sources.map(({ name }) => name)).size === sources.length, "names must be unique");
  return z.string().transform((text, context): Source[] => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      context.addIssue({ code: "custom", message: "is not JSON" });
      return z.NEVER;
    }
    const result = list.safeParse(value);
    if (result.success) return result.data;
    for (const { path, message } of result.error.issues) {
      const place = path.length > 0 ? `at ${path.join(".")}: ` : "";
      context.addIssue({ code: "custom", message: `${place}${message}` });
    }
    return z.NEVER;
  });
}
