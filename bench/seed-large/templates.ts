import { addMs, dayMs, type Instant, instant } from "@svc/domain";
import { deriveShipment, type PlaceDirectory, planTrackingChanges } from "@svc/domain/derivation";
import { type Sql, uuidV7 } from "@svc/persistence";
import { findStoredShipment, findTrackedShipment, stopShipment, writeTracking } from "@svc/persistence/tracking";
import { pollDays, routes, type VoyageRoute, voyageOf } from "./voyages.ts";

/** Maximum number of containers of a seeded shipment. */
const containersMax = 5;

/** The account of the templates, deleted at the end. */
export const templateAccountId = "00000000-0000-7000-8000-000000000000";

const insertRequest = `
  WITH subject AS (
    INSERT INTO tracking_subjects (id, account_id, scac, kind, number, last_attempted_at, last_succeeded_at,
      last_found_at, last_changed_at, created_at)
    VALUES ($2, $1, 'TEST', 'bill_of_lading', $4, $6, $6, $6, $6, $5))
  INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status,
    subject_id, shipment_id, created_at, updated_at)
  VALUES ($1, $2, 'bill_of_lading', $4, $4, 'TEST', $7, $2, $3, $5, $6)`;

const departureDay = instant("2026-01-01T00:00:00Z");
const onDay = (day: number): Instant => addMs(departureDay, Math.round(day * dayMs));

/** One shipment at one stage, written by the product: each poll is folded, compared with what is stored and written. */
async function writeTemplate(sql: Sql, places: PlaceDirectory, route: VoyageRoute, stage: number) {
  const shipmentId = uuidV7.next();
  const subjectId = uuidV7.next();
  const number = `TEMPLATE${shipmentId}`;
  const containers = Array.from({ length: containersMax }, (_, index) => `TPLU000000${index}`);
  const voyage = containers.flatMap((index) => voyageOf(route, index)).map((fact) => ({ ...fact, id: uuidV7.next() }));
  for (const day of pollDays.slice(0, stage + 1)) {
    const now = onDay(day);
    const derived = deriveShipment(
      voyage.filter(({ observedAt }) => observedAt <= now),
      places,
    );
    const isNew = day === pollDays[0];
    const stored = isNew ? null : await findStoredShipment(sql, templateAccountId, shipmentId);
    const by = { subjectId, scac: "TEST", normalizedNumbers: [] };
    const shipment = isNew ? null : await findTrackedShipment(sql, templateAccountId, by);
    const newShipment = {
      subjectId,
      billOfLadingNumber: number,
      normalizedNumber: number,
      numberKind: "bill_of_lading",
      shippingLineScac: "TEST",
      refNumbers: [],
      tags: [],
      customerId: null,
    } as const;
    await writeTracking(sql, templateAccountId, {
      ...(stored && shipment ? { kind: "update", shipment, stored } : { kind: "create", newShipment }),
      shipmentId,
      derived,
      changes: planTrackingChanges(stored, derived),
      accountSupplied: new Set(),
      refNumbers: [],
      now,
    });
  }
  const lastPollAt = onDay(pollDays[stage] ?? 0);
  const isOver = stage === pollDays.length - 1;
  if (isOver) await stopShipment(sql, templateAccountId, shipmentId, "all_containers_terminated", lastPollAt);
  const values = [templateAccountId, subjectId, shipmentId, number, onDay(pollDays[0]), lastPollAt];
  await sql.execute({ name: "", text: insertRequest }, [...values, isOver ? "tracking_stopped" : "created"]);
  return { shipmentId, subjectId, createdAt: onDay(pollDays[0]) };
}

export interface Template {
  readonly shipmentId: string;
  readonly subjectId: string;
  readonly createdAt: Instant;
  readonly route: number;
  /** Place in `pollDays` of the last poll. */
  readonly stage: number;
}

/** A shipment of every route at every stage, in an account of their own. */
export async function writeTemplates(sql: Sql, places: PlaceDirectory): Promise<Template[]> {
  await sql.execute(
    { name: "", text: "INSERT INTO accounts (id, company_name, created_at) VALUES ($1, 'Templates', now())" },
    [templateAccountId],
  );
  const templates: Template[] = [];
  for (const [index, route] of routes.entries()) {
    for (const stage of pollDays.keys()) {
      templates.push({ ...(await writeTemplate(sql, places, route, stage)), route: index, stage });
    }
  }
  return templates;
}
