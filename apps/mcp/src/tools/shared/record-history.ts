import type { FieldChangeResource, ProvenanceResource, RawEventResource } from "@svc/sdk";
import { z } from "zod";
import type { Caller } from "../../api/caller.ts";

const text = z.string().optional();
const changesShown = 20;
const fieldsShown = 25;
const rawEventsShown = 20;

function shown(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

export const changeRow = z.object({
  field: z.string(),
  old_value: text,
  new_value: text,
  changed_at: z.string(),
  source: z.string(),
  cause: text,
});

export function changeRowOf({ attributes }: Pick<FieldChangeResource, "attributes">) {
  return {
    field: attributes.field,
    old_value: shown(attributes.old_value),
    new_value: shown(attributes.new_value),
    changed_at: attributes.changed_at,
    source: attributes.data_source,
    cause: attributes.cause?.summary,
  };
}

/** Output fields of the history that details include on request. */
export const historyOutput = {
  eta_history: z.array(changeRow).optional(),
  eta_history_total: z.number().optional(),
  provenance: z
    .array(z.object({ field: z.string(), value: text, source: z.string(), rule: z.string(), reported_at: text }))
    .optional(),
  provenance_total: z.number().optional(),
};

/** A part of a result with whether the API has more of it. */
export interface HistoryPart {
  readonly content: object;
  readonly hasNext: boolean;
}

export const hasNextPage = (document: { readonly links?: { readonly next?: unknown } | undefined }): boolean =>
  typeof document.links?.next === "string";

/** The parts as one. A part without such a page shows its total alone: an empty list would say that there is none. */
export function joinParts(parts: readonly (HistoryPart | undefined)[], page: number) {
  const known = parts.filter((part) => part !== undefined);
  const entries = known.flatMap(({ content }) => Object.entries(content) as [string, unknown][]);
  const shown = entries.filter(([, value]) => page === 1 || !Array.isArray(value) || value.length > 0);
  const nextPage = known.some(({ hasNext }) => hasNext) ? page + 1 : undefined;
  return { content: { ...Object.fromEntries(shown), next_page: nextPage }, nextPage };
}

const etaFields = ["pod_eta_at", "destination_eta_at", "pod_original_eta_at", "ind_eta_at"];

/** How the arrival estimates changed, latest first: with who reported each and when. */
export async function etaHistoryOf(shipmentId: string, page: number, { client }: Caller): Promise<HistoryPart> {
  const filter = { field: etaFields };
  const document = await client.shipments.history(shipmentId, { filter, page, pageSize: changesShown });
  const rows = document.data.map(changeRowOf);
  const content = { eta_history: rows, eta_history_total: document.meta?.page?.total ?? rows.length };
  return { content, hasNext: hasNextPage(document) };
}

/** Source, rule and time of every derived attribute. */
export async function provenanceOf(
  kind: "shipments" | "containers",
  id: string,
  page: number,
  { client }: Caller,
): Promise<HistoryPart> {
  const document = await client[kind].provenance(id, { page, pageSize: fieldsShown });
  const rows = document.data.map(({ attributes: of }: ProvenanceResource) => ({
    field: of.field,
    value: shown(of.value),
    source: of.data_source,
    rule: of.rule,
    reported_at: of.stated_at ?? of.raw_reply?.received_at ?? of.since,
  }));
  const content = { provenance: rows, provenance_total: document.meta?.page?.total ?? rows.length };
  return { content, hasNext: hasNextPage(document) };
}

export const rawEventRow = z.object({
  received_at: text,
  event: text,
  original_event: text,
  at: text,
  is_estimate: z.boolean().optional(),
  locode: text,
  location: text,
  vessel: text,
  voyage: text,
  source: text,
});

/** Messages as the sources sent them, planned and estimated ones too. */
export async function rawEventsOf(containerId: string, page: number, { client }: Caller) {
  const document = await client.containers.rawEvents(containerId, { page, pageSize: rawEventsShown });
  const rows = document.data.map(({ attributes: of }: RawEventResource) => ({
    received_at: of.created_at,
    event: of.event?.replace("container.transport.", ""),
    original_event: of.original_event,
    at: of.timestamp,
    is_estimate: of.estimated,
    locode: of.location_locode,
    location: of.location_name,
    vessel: of.vessel_name,
    voyage: of.voyage_number,
    source: of.data_source,
  }));
  return { rows, total: document.meta?.page?.total ?? rows.length, hasNext: hasNextPage(document) };
}
