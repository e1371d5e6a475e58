import type { PageRequest } from "@svc/domain/lists";
import type { Database } from "@svc/persistence";
import { createContainerRepository } from "@svc/persistence/containers";
import { createFieldHistoryReader, createProvenanceReader } from "@svc/persistence/history";
import { createShipmentRepository } from "@svc/persistence/shipments";
import { createRawEventReader, createTransportEventRepository } from "@svc/persistence/transport-events";
import { type FieldSources, readSources } from "./field-sources.ts";
import { createNameReader } from "./known-names.ts";

/** The repositories for the pages of one shipment and one container. */
export function createTrackingReaders({ sql, tenantSql }: Database) {
  const provenance = createProvenanceReader(tenantSql);
  return {
    shipments: createShipmentRepository(tenantSql),
    containers: createContainerRepository(tenantSql),
    events: createTransportEventRepository(tenantSql),
    rawEvents: createRawEventReader(tenantSql),
    histories: createFieldHistoryReader(tenantSql),
    sourcesOf: (accountId: string, recordId: string): Promise<FieldSources> =>
      readSources(provenance, accountId, recordId),
    readNames: createNameReader(sql),
  };
}

/** Maximum number of changes of a record to read. */
export const latestChanges: PageRequest<"valid_from"> = {
  size: 300,
  sortBy: "valid_from",
  descending: true,
  position: { kind: "number", number: 1 },
};
