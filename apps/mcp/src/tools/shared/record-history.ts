import type { FieldChangeResource, ProvenanceResource, RawEventResource } from "@svc/sdk";
import { z } from "zod";
import type { Caller } from "../../api/caller.ts";
import { optionalText } from "./fields.ts";

const changesPageSize = 20;
const fieldsPageSize = 25;
const rawEventsPageSize = 20;

function formatValue(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

export const changeRow = z.object({
  field: z.string(),
  old_value: optionalText,
  new_value: optionalText,
  changed_at: z.string(),
  source: z.string(),
  cause: optionalText,
});

export function toChangeRow({ attributes }: Pick<FieldChangeResource, "attributes">) {
  return {
    field: attributes.field,
    old_value: formatValue(attributes.old_value),
    new_value: formatValue(attributes.new_value),
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
    .array(
      z.object({
        field: z.string(),
        value: optionalText,
        source: z.string(),
        rule: z.string(),
        reported_at: optionalText,
      }),
    )
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

/** The parts as one. A part without such a page shows its total alone: an empty list would mean that there is none. */
export function joinParts(parts: readonly (HistoryPart | undefined)[], page: number) {
  const known = parts.filter((part) => part !== undefined);
  const entries = known.flatMap(({ content }) => Object.entries(content) as [string, unknown][]);
  const visible = entries.filter(([, value]) => page === 1 || !Array.isArray(value) || value.length > 0);
  const nextPage = known.some(({ hasNext }) => hasNext) ? page + 1 : undefined;
  return { content: { ...Object.fromEntries(visible), next_page: nextPage }, nextPage };
}

const etaFields = ["pod_eta_at", "destination_eta_at", "pod_original_eta_at", "ind_eta_at"];

/** How the arrival estimates changed, latest first: with who reported each and when. */
export async function loadEtaHistory(shipmentId: string, page: number, { client }: Caller): Promise<HistoryPart> {
  const filter = { field: etaFields };
  const document = await client.shipments.history(shipmentId, { filter, page, pageSize: changesPageSize });
  const rows = document.data.map(toChangeRow);
  const content = { eta_history: rows, eta_history_total: document.meta?.page?.total ?? rows.length };
  return { content, hasNext: hasNextPage(document) };
}

/** Source, rule and time of every derived attribute. */
export async function loadProvenance(
  kind: "shipments" | "containers",
  id: string,
  page: number,
  { client }: Caller,
): Promise<HistoryPart> {
  const document = await client[kind].provenance(id, { page, pageSize: fieldsPageSize });
  const rows = document.data.map(({ attributes: attribute }: ProvenanceResource) => ({
    field: attribute.field,
    value: formatValue(attribute.value),
    source: attribute.data_source,
    rule: attribute.rule,
    reported_at: attribute.stated_at ?? attribute.raw_reply?.received_at ?? attribute.since,
  }));
  const content = { provenance: rows, provenance_total: document.meta?.page?.total ?? rows.length };
  return { content, hasNext: hasNextPage(document) };
}

export const rawEventRow = z.object({
  received_at: optionalText,
  event: optionalText,
  original_event: optionalText,
  at: optionalText,
  is_estimate: z.boolean().optional(),
  invalidated: z.boolean().optional().describe("the source retracted the event"),
  locode: optionalText,
  location: optionalText,
  vessel: optionalText,
  voyage: optionalText,
  source: optionalText,
});

/** Messages as the sources sent them, planned and estimated ones too, the latest received first. */
export async function loadRawEvents(containerId: string, page: number, { client }: Caller) {
  const document = await client.containers.rawEvents(containerId, {
    page,
    pageSize: rawEventsPageSize,
    sort: "-created_at",
  });
  const rows = document.data.map(({ attributes: attribute }: RawEventResource) => ({
    received_at: attribute.created_at,
    event: attribute.event?.replace("container.transport.", ""),
    original_event: attribute.original_event,
    at: attribute.timestamp,
    is_estimate: attribute.estimated,
    invalidated: attribute.invalidated || undefined,
    locode: attribute.location_locode,
    location: attribute.location_name,
    vessel: attribute.vessel_name,
    voyage: attribute.voyage_number,
    source: attribute.data_source,
  }));
  return { rows, total: document.meta?.page?.total ?? rows.length, hasNext: hasNextPage(document) };
}
