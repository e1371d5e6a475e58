import type { Provenance } from "@svc/domain/history";
import { dataSources } from "@svc/domain/observations";
import { z } from "zod";
import { dateTime } from "../resource.ts";
import { toWireName, toWireValue } from "../wire-names.ts";

/** The provenance of a derived attribute. Read with its shipment or container, so it has no URL. */
export const ProvenanceResource = z
  .object({
    id: z.uuid(),
    type: z.literal("provenance"),
    attributes: z.object({
      field: z.string().describe("Name of the attribute."),
      value: z.unknown(),
      since: dateTime.describe("When the service received the value."),
      superseded_at: dateTime.nullable().describe("When the value was replaced; null while it is current."),
      data_source: z.enum(dataSources),
      rule: z.string().describe("The rule that derived the value from the source's report."),
      source_event_id: z
        .uuid()
        .nullable()
        .describe("The raw event that the value follows from. Null when there are several."),
      stated_at: dateTime.nullable().describe("When the source made the report, as given by the source."),
      raw_reply: z
        .object({
          id: z.uuid(),
          channel: z
            .enum(["poll", "push", "import", "edi"])
            .describe(
              "poll: the service polled the source; push: the source sent it; import: the account imported it.",
            ),
          received_at: dateTime.describe("When the reply was first received."),
        })
        .nullable()
        .describe("The stored reply with the raw event. Null when the value follows from several."),
    }),
  })
  .meta({ id: "Provenance" });

export type ProvenanceResource = z.infer<typeof ProvenanceResource>;

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
