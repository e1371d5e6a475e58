import { type EdiFile, ediFileSources, ediFileStatuses, type ListedEdiFile } from "@svc/domain/edi-files";
import { z } from "zod";
import { dateTime, resourceObject } from "../resource.ts";

export { ediFileStatuses };

/** The profiles of `packages/edi`. */
export const ediPartnerNames = [
  "standard",
  "cargosmart",
  "cargosprint",
  "hamburg-sud",
  "un-recommendation-24",
] as const;

const count = z.int().min(0);
const position = z.int().min(0);

const fault = z.object({
  line: position.describe("Line of the segment, from 1."),
  segment: position.describe("Number of the segment in the file, from 1; 0: before the first."),
  tag: z.string().nullable(),
  element: z.int().nullable().describe("Position of the element, from 1; null: the whole segment."),
  message: z.string().nullable().describe("Reference of the message (ST-02, UNH-01)."),
  detail: z.string(),
});
const note = z.object({
  message_type: z.string(),
  code: z.string(),
  meaning: z.string(),
  container_number: z.string().nullable(),
  line: position,
});
const unmapped = z.object({
  message_type: z.string(),
  code: z.string().nullable().describe("Status code. Null: messages of this type are not read."),
  count,
  line: position.describe("Line of the first occurrence."),
});

const listedAttributes = {
  name: z.string().nullable(),
  source: z.enum(ediFileSources).describe("Channel by which the file was received."),
  partner: z.string().describe("Partner profile that it is read with."),
  scac: z.string().nullable().describe("Carrier of messages that name none."),
  size_bytes: count,
  status: z
    .enum(ediFileStatuses)
    .describe("received: stored and waiting to be read; rejected: nothing of it was applied."),
  syntax: z.enum(["x12", "edifact"]).nullable(),
  sender: z.string().nullable().describe("Sender of the first interchange."),
  control_number: z.string().nullable().describe("Control number of the first interchange."),
  duplicate_of: z.uuid().nullable().describe("An earlier file with the same sender and control number."),
  messages_count: count,
  statuses_count: count,
  events_count: count,
  applied_count: count.describe("Number of events whose number was tracked when the file was applied."),
  untracked_count: count.describe("Number of events whose number was not tracked."),
  without_carrier_count: count.describe("Number of events of messages that name no carrier, in a file without one."),
  new_facts_count: count.describe("Number of events that were not known before."),
  notes_count: count,
  unmapped_codes_count: count.describe(
    "Number of different codes without a meaning in the partner's profile; 100: or more.",
  ),
  faults_count: count,
  created_at: dateTime,
};

/** An EDI file and its outcome. */
export const EdiFileResource = resourceObject(
  "edi_file",
  {
    ...listedAttributes,
    notes: z.array(note).describe("Statuses that are known, but no event that is tracked. At most 100."),
    unmapped_codes: z.array(unmapped).describe("Codes without a meaning in the partner's profile. At most 100."),
    faults: z.array(fault).describe("Parts that could not be read. At most 100."),
    acknowledgement: z.string().nullable().describe("Acknowledgement for the partner: 997 or CONTRL."),
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "EdiFile" });

export type EdiFileResource = z.infer<typeof EdiFileResource>;

/** EDI file as lists return it, with only the counts of its result. */
export const ListedEdiFileResource = resourceObject("edi_file", listedAttributes, {})
  .omit({ relationships: true })
  .meta({ id: "ListedEdiFile" });

export type ListedEdiFileResource = z.infer<typeof ListedEdiFileResource>;

export function listedEdiFileResource(file: ListedEdiFile, baseUrl: string): ListedEdiFileResource {
  const { result } = file;
  return {
    id: file.id,
    type: "edi_file",
    attributes: {
      name: file.name,
      source: file.source,
      partner: file.partner,
      scac: file.scac,
      size_bytes: file.sizeBytes,
      status: file.status,
      syntax: result?.syntax ?? null,
      sender: file.sender,
      control_number: file.controlNumber,
      duplicate_of: file.duplicateOf,
      messages_count: result?.messages ?? 0,
      statuses_count: result?.statuses ?? 0,
      events_count: result?.events ?? 0,
      applied_count: result?.applied ?? 0,
      untracked_count: result?.untracked ?? 0,
      without_carrier_count: result?.withoutCarrier ?? 0,
      new_facts_count: result?.newFacts ?? 0,
      notes_count: result?.noteCount ?? 0,
      unmapped_codes_count: result?.unmappedCount ?? 0,
      faults_count: result?.faultCount ?? 0,
      created_at: file.receivedAt,
    },
    links: { self: `${baseUrl}/edi_files/${file.id}` },
  };
}

export function ediFileResource(file: EdiFile, baseUrl: string): EdiFileResource {
  const { result } = file;
  const counts = result && { ...result, unmappedCount: result.unmapped.length };
  const listed = listedEdiFileResource({ ...file, result: counts }, baseUrl);
  return {
    ...listed,
    attributes: {
      ...listed.attributes,
      notes: (result?.notes ?? []).map(({ kind, containerNumber, ...others }) => ({
        ...others,
        message_type: kind,
        container_number: containerNumber,
      })),
      unmapped_codes: (result?.unmapped ?? []).map(({ kind, ...others }) => ({ ...others, message_type: kind })),
      faults: [...(result?.faults ?? [])],
      acknowledgement: result?.acknowledgement ?? null,
    },
  };
}
