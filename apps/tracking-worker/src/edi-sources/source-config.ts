import { findPartnerProfile } from "@svc/edi";
import { z } from "zod";

export const sourceName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,49}$/, "must be lower-case letters, digits and hyphens");

/** Settings that every source has: the account that its files belong to, how they are read, how often it is polled. */
export const partnerFields = {
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
