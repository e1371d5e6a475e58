import type { FactorSettings } from "@svc/domain/emissions";
import { type Fault, TrackingError } from "@svc/jsonapi";
import { listOrPageSchema, readResourceObject } from "@svc/jsonapi/documents";
import {
  createEmissionFactorDocument,
  EmissionFactorResource,
  emissionFactorResource,
  factorColumns,
} from "@svc/jsonapi/emissions";
import { z } from "zod";
import { defineRoute } from "../http/define-route.ts";
import { completeListReply } from "../http/replies.ts";
import { createFactorReader } from "./factor-reader.ts";
import { importRowsMax, readFactorFile } from "./read-factor-file.ts";
import { writeFactors } from "./write-factors.ts";

/** Maximum number of listed faults: further ones would repeat them. */
const faultsMax = 100;

const importBody = z.strictObject({
  csv: z
    .string()
    .min(1)
    .max(1_000_000)
    .describe(
      `A header with names of attributes, then up to ${importRowsMax} rows. Places are separated by spaces: CN KR JPTYO.`,
    ),
});

/** A fault of the file, or of one row (from 1, without the header). */
function rowFault(row: number | null, detail: string, column?: string): Fault {
  return {
    code: "invalid",
    detail: row === null ? detail : `Row ${row}: ${detail}`,
    source: { pointer: "/csv" },
    ...(row !== null && { meta: { row, ...(column !== undefined && { column }) } }),
  };
}

function rowFaults(error: TrackingError, row: number): Fault[] {
  return error.faults.map(({ detail, source }) => {
    const [, column] = /\/attributes\/(\w+)/.exec(source?.pointer ?? "") ?? [];
    return rowFault(row, detail, column);
  });
}

export const importEmissionFactorsRoute = defineRoute({
  method: "post",
  path: "/emission_factor_imports",
  operationId: "importEmissionFactors",
  summary: "Import emission factors",
  description:
    "Creates emission factors from a CSV text, separated by commas, semicolons or tabs. A file is imported whole or not at all: " +
    `errors name their rows. The columns are ${factorColumns.join(", ")}. A factor for the same legs as another one is refused, so ` +
    "repeating a file creates nothing.",
  tag: "Emissions",
  scope: "write",
  action: "edit_records",
  request: { query: { type: "emission_factor" }, body: { plain: importBody } },
  responses: {
    201: { description: "The factors that were created.", schema: listOrPageSchema(EmissionFactorResource) },
  },
  async handle({ services, caller, query, body }) {
    const { accountId } = caller;
    const rows = readFactorFile(body.csv);
    if (typeof rows === "string") throw new TrackingError([rowFault(null, rows)]);
    const readSettings = createFactorReader(services);
    const faults: Fault[] = [];
    const factors: FactorSettings[] = [];
    for (const [index, attributes] of rows.entries()) {
      if (faults.length >= faultsMax) break;
      if (attributes === null) {
        faults.push(rowFault(index + 1, "The row has another number of fields than the header."));
        continue;
      }
      try {
        const document = { type: "emission_factor", attributes };
        const written = readResourceObject(createEmissionFactorDocument, document, { pathId: null, at: "/data" });
        factors.push(await readSettings(written.attributes, null));
      } catch (error) {
        if (!(error instanceof TrackingError)) throw error;
        faults.push(...rowFaults(error, index + 1));
      }
    }
    const [first, ...others] = faults.slice(0, faultsMax);
    if (first) throw new TrackingError([first, ...others]);
    const created = await writeFactors(services, accountId, factors, {
      pointer: "/csv",
      placeOf: (index) => `Row ${index + 1}: `,
      metaOf: (index) => ({ row: index + 1 }),
    });
    const { baseUrl } = services.settings;
    const resources = created.map((factor) => emissionFactorResource(factor, baseUrl));
    return { ...completeListReply({ services, query }, "/emission_factors", resources), status: 201 };
  },
});
