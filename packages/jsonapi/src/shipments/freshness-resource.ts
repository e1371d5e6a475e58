import { freshnesses, type Instant, type ShipmentFreshness } from "@svc/domain";
import { z } from "zod";
import { dateTime } from "../resource.ts";

/** Data freshness of a shipment. Read with its shipment, so it has no URL. */
export const FreshnessResource = z
  .object({
    id: z.uuid().describe("The shipment's."),
    type: z.literal("freshness"),
    attributes: z.object({
      freshness: z
        .enum(freshnesses)
        .nullable()
        .describe(
          "fresh; late: two questions in a row were not answered; stale: for a day more; silent: the line answers, but " +
            "tells nothing new for longer than such a voyage is quiet; null: tracking has stopped.",
        ),
      last_attempted_at: dateTime.nullable().describe("When the line was asked last."),
      last_succeeded_at: dateTime.nullable().describe("When it answered last."),
      last_changed_at: dateTime.nullable().describe("When it told something new last."),
      answer_expected_by: dateTime.nullable().describe("From then on it is late; null when tracking has stopped."),
      news_expected_by: dateTime.nullable().describe("From then on it is silent; null where no news is expected."),
    }),
  })
  .meta({ id: "Freshness" });

export type FreshnessResource = z.infer<typeof FreshnessResource>;

export interface Answers {
  readonly lastAttemptedAt: Instant | null;
  readonly lastSucceededAt: Instant | null;
  readonly lastChangedAt: Instant | null;
}

export function freshnessResource(
  shipmentId: string,
  { freshness, answerExpectedBy, newsExpectedBy }: ShipmentFreshness,
  { lastAttemptedAt, lastSucceededAt, lastChangedAt }: Answers,
): FreshnessResource {
  return {
    id: shipmentId,
    type: "freshness",
    attributes: {
      freshness,
      last_attempted_at: lastAttemptedAt,
      last_succeeded_at: lastSucceededAt,
      last_changed_at: lastChangedAt,
      answer_expected_by: answerExpectedBy,
      news_expected_by: newsExpectedBy,
    },
  };
}
