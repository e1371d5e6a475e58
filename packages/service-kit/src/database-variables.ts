import { z } from "zod";

/** A PostgreSQL connection URL. */
export const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });

/** Variables of services that use the database. */
export const databaseVariables = {
  DATABASE_URL: postgresUrl.describe("PostgreSQL connection URL, for example postgresql://user@host:5432/svc"),
  /** Its presence means that DATABASE_URL leads to a pooler in transaction mode. */
  DATABASE_DIRECT_URL: postgresUrl
    .optional()
    .describe(
      "the same database past the pooler, when DATABASE_URL leads to PgBouncer in transaction mode; see docs/high-availability.md",
    ),
};
