import type { Instant } from "@svc/domain";
import { freshnesses, type ShipmentFreshness } from "@svc/domain/tracking";
import { z } from "zod";
import { dateTime } from "../resource.ts";

/** Data freshness of a shipment. Read with its shipment, so it has no URL. */
export const FreshnessResource = z
  .object({
    id: z.uuid().describe("The id of the shipment."),
    type: z.literal("freshness"),
    attributes: z.object({
      freshness: z
        .enum(freshnesses)
        .nullable()
        .describe(
          "fresh; late: two consecutive polls failed; stale: polls have failed for another day; silent: the carrier " +
            "responds, but has reported no change for longer than usual; null: tracking has stopped.",
        ),
      last_attempted_at: dateTime.nullable().describe("Time of the last poll."),
      last_succeeded_at: dateTime.nullable().describe("Time of the last successful poll."),
      last_changed_at: dateTime
        .nullable()
        .describe("When the carrier last reported a change, as the carrier dates it."),
      answer_expected_by: dateTime
        .nullable()
        .describe("When the shipment becomes late without a response; null when tracking has stopped."),
      news_expected_by: dateTime
        .nullable()
        .describe("When the shipment becomes silent without a change; null where no change is expected."),
    }),
  })
  .meta({ id: "Freshness" });

export type FreshnessResource = z.infer<typeof FreshnessResource>;

export interface PollTimes {
  readonly lastAttemptedAt: Instant | null;
  readonly lastSucceededAt: Instant | null;
  readonly lastChangedAt: Instant | null;
}

export function freshnessResource(
  shipmentId: string,
  { freshness, answerExpectedBy, changeExpectedBy }: ShipmentFreshness,
  { lastAttemptedAt, lastSucceededAt, lastChangedAt }: PollTimes,
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
      news_expected_by: changeExpectedBy,
    },
  };
}
