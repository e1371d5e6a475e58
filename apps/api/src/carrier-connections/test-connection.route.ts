import { setTimeout as sleep } from "node:timers/promises";
import type { CarrierConnection } from "@svc/domain/carrier-connections";
import { CarrierConnectionResource } from "@svc/jsonapi/carrier-connections";
import { documentSchema } from "@svc/jsonapi/documents";
import { defineRoute } from "../http/define-route.ts";
import { recordReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import type { Services } from "../services.ts";
import { connectionResourceFor } from "./carrier-connection-routes.ts";

const firstPauseMs = 100;
const pauseMaxMs = 500;

const schema = documentSchema(CarrierConnectionResource);

/** Reads the connection until the worker has stored the outcome, the time is over or the process stops. */
async function waitForOutcome(
  { carrierConnections, settings, stopping }: Services,
  accountId: string,
  id: string,
): Promise<CarrierConnection | null> {
  const deadline = performance.now() + settings.carrierTestWaitMs;
  let pauseMs = firstPauseMs;
  for (;;) {
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    const connection = await carrierConnections.find(accountId, id);
    const isOver = stopping.aborted || performance.now() >= deadline;
    if (connection === null || !connection.isTestRunning || isOver) return connection;
    pauseMs = Math.min(pauseMs * 1.5, pauseMaxMs);
  }
}

export const testConnectionRoute = defineRoute({
  method: "post",
  path: "/carrier_connections/{id}/test",
  operationId: "testCarrierConnection",
  summary: "Test a carrier connection",
  description:
    "Makes one harmless call with the stored credentials: a query for the container number CSQU3054383, which is " +
    "not yours. `last_test` of the response shows whether the carrier accepted the credentials, and the next step " +
    "if not. A carrier that does not know the number has accepted the credentials. The call counts against the " +
    "carrier's limits, respects its pauses, and is made also while polling is paused after failures; a success ends " +
    "that pause. 202 when the test has not ended after 20 seconds: read the connection until `is_test_running` is " +
    "false. A connection can be tested before it is activated.",
  tag: "Carrier connections",
  scope: "write",
  action: "connect_carriers",
  rateLimit: "carrier_test",
  hasSideEffect: true,
  request: {
    params: { id: { of: "carrier connection", kind: "uuid", description: "The connection's id." } },
    query: { type: "carrier_connection" },
  },
  responses: {
    200: { description: "The test has ended: its outcome is `last_test`.", schema },
    202: { description: "The test is still running.", schema },
  },
  async handle(exchange) {
    const { services, caller, params } = exchange;
    const { id } = params;
    const isRequested = await services.carrierConnections.requestTest(caller.accountId, id);
    const tested = isRequested ? await waitForOutcome(services, caller.accountId, id) : null;
    const connection = requireFound("carrier connection", id, tested);
    const status = connection.isTestRunning ? 202 : 200;
    return { ...(await recordReply(exchange, connection, connectionResourceFor(caller))), status };
  },
});
