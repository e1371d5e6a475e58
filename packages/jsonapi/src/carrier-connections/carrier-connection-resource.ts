import {
  type CarrierConnection,
  connectionStatus,
  connectionStatuses,
  connectionTestCodes,
  credentialKinds,
} from "@svc/domain/carrier-connections";
import { z } from "zod";
import { dateTime, resourceObject } from "../resource.ts";

const count = z.int().min(0);

const connectionTest = z
  .strictObject({
    succeeded: z.boolean().describe("Whether the carrier accepted the credentials (`code` is accepted)."),
    code: z
      .enum(connectionTestCodes)
      .describe(
        "accepted: the credentials work, also when the carrier does not know the test container. credentials_rejected: wrong or not " +
          "yet approved. paused, budget_spent, not_offered: no request was sent. The others name what failed.",
      ),
    explanation: z.string().describe("Explanation of the result and what to do, in the terms of the carrier."),
    http_status: z.int().nullable().describe("Status of the carrier's response; null: there was none."),
    duration_ms: count,
    tested_at: dateTime,
  })
  .meta({ id: "CarrierConnectionTest" });

/** An account's own access to a carrier. Credentials are written and never read. */
export const CarrierConnectionResource = resourceObject(
  "carrier_connection",
  {
    scac: z.string(),
    active: z
      .boolean()
      .describe("Whether the carrier is polled with these credentials. False: with the service's, if it has any."),
    credential_kind: z.enum(credentialKinds),
    status: z
      .enum(connectionStatuses)
      .describe(
        "untested: no request has succeeded yet. rejected: the carrier does not accept the credentials. failing: no usable response. not_offered: the carrier is not configured in this service.",
      ),
    is_paused: z.boolean().describe("Whether polling is paused after failures or a rate limit of the carrier."),
    last_succeeded_at: dateTime.nullable(),
    last_failed_at: dateTime.nullable(),
    last_error: z.string().nullable(),
    is_test_running: z.boolean().describe("Whether a test call was requested and has not ended."),
    last_test: connectionTest
      .nullable()
      .describe("Outcome of the last test call; null: none was made with the present credentials."),
    requests_today: count.describe("HTTP requests in the current UTC day, counted against the carrier's limits."),
    answers_count: count,
    failures_count: count,
    rejections_count: count,
    throttles_count: count,
    unrecognized_count: count.describe("Number of responses that could not be parsed."),
    skipped_events_count: count.describe(
      "Single events that could not be parsed, and values of terminal operators in words without a known meaning. Nothing is derived from them.",
    ),
    push_url: z.url().describe("URL for events pushed by the carrier: the callbackUrl of a DCSA event subscription."),
    push_secret: z
      .string()
      .nullable()
      .describe(
        "Base64 key for the signatures of pushed events (Notification-Signature), created by the service. Null for a caller without the scope `write` or the role developer.",
      ),
    created_at: dateTime,
    updated_at: dateTime,
  },
  {},
)
  .omit({ relationships: true })
  .meta({ id: "CarrierConnection" });

export type CarrierConnectionResource = z.infer<typeof CarrierConnectionResource>;

/** @param showsSecrets includes the key of pushed events, with which a reader could write events. */
export function carrierConnectionResource(
  connection: CarrierConnection,
  baseUrl: string,
  { showsSecrets }: { readonly showsSecrets: boolean },
): CarrierConnectionResource {
  const { health, lastTest } = connection;
  return {
    id: connection.id,
    type: "carrier_connection",
    attributes: {
      scac: connection.scac,
      active: connection.active,
      credential_kind: connection.credentialKind,
      status: connectionStatus(connection),
      is_paused: health.isPaused,
      last_succeeded_at: health.lastSuccessAt,
      last_failed_at: health.lastErrorAt,
      last_error: health.lastError,
      is_test_running: connection.isTestRunning,
      last_test: lastTest && {
        succeeded: lastTest.code === "accepted",
        code: lastTest.code,
        explanation: lastTest.explanation,
        http_status: lastTest.httpStatus,
        duration_ms: lastTest.durationMs,
        tested_at: lastTest.testedAt,
      },
      requests_today: health.requestsToday,
      answers_count: health.answers,
      failures_count: health.failures,
      rejections_count: health.rejections,
      throttles_count: health.throttles,
      unrecognized_count: health.unrecognized,
      skipped_events_count: health.skippedEvents,
      push_url: `${baseUrl}/carrier_events/${connection.id}`,
      push_secret: showsSecrets ? connection.pushSecret : null,
      created_at: connection.createdAt,
      updated_at: connection.updatedAt,
    },
    links: { self: `${baseUrl}/carrier_connections/${connection.id}` },
  };
}
