import type { DataSource, Instant } from "@svc/domain";
import { z } from "zod";
import { dateTime } from "../resource.ts";
import { dataSources } from "../transport-events/transport-event-resource.ts";
import { toWireName, toWireValue } from "../wire-names.ts";

/** The provenance of a derived attribute. Read with its shipment or container, so it has no URL. */
export const ProvenanceResource = z
  .object({
    id: z.uuid(),
    type: z.literal("provenance"),
    attributes: z.object({
      field: z.string().describe("Name of the attribute."),
      value: z.unknown(),
      since: dateTime.describe("When the service came to know the value."),
      superseded_at: dateTime.nullable().describe("When another took its place; null while it holds."),
      data_source: z.enum(dataSources),
      rule: z.string().describe("The rule by which the value follows from what the source stated."),
      source_event_id: z.uuid().nullable().describe("The raw event that it follows from, where it is a single one."),
      stated_at: dateTime.nullable().describe("When the source says that it made the statement."),
      raw_reply: z
        .object({
          id: z.uuid(),
          channel: z
            .enum(["poll", "push", "import"])
            .describe("Whether the source was asked, told it unasked, or the account imported it."),
          received_at: dateTime.describe("When these bytes were received first."),
        })
        .nullable()
        .describe("The stored reply that told it, where it follows from a single raw event."),
    }),
  })
  .meta({ id: "Provenance" });

export type ProvenanceResource = z.infer<typeof ProvenanceResource>;

export interface Provenance {
  readonly id: string;
  /** The name of the attribute in the domain. */
  readonly field: string;
  readonly value: unknown;
  readonly rule: string;
  readonly dataSource: DataSource;
  readonly observationId: string | null;
  readonly statedAt: Instant | null;
  readonly rawReplyId: string | null;
  readonly channel: "poll" | "push" | "import" | null;
  readonly receivedAt: Instant | null;
  readonly validFrom: Instant;
  readonly supersededAt: Instant | null;
}

export function provenanceResource(provenance: Provenance): ProvenanceResource {
  const { rawReplyId, channel, receivedAt } = provenance;
  const isTraced = rawReplyId !== null && channel !== null && receivedAt !== null;
  return {
    id: provenance.id,
    type: "provenance",
    attributes: {
      field: toWireName(provenance.field),
      value: toWireValue(provenance.value ?? null),
      since: provenance.validFrom,
      superseded_at: provenance.supersededAt,
      data_source: provenance.dataSource,
      rule: provenance.rule,
      source_event_id: provenance.observationId,
      stated_at: provenance.statedAt,
      raw_reply: isTraced ? { id: rawReplyId, channel, received_at: receivedAt } : null,
    },
  };
}
