import { beforeAll, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { createDeliveryFixture } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { indexEntriesRead } from "../testing/index-entries-read.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import type { AttemptOutcome } from "./attempt.ts";
import { settleOutcomes } from "./settle-outcomes.ts";

const webhookCount = 2_000;
const attempted = 40;

const webhookIds: string[] = [];

const database = started(() =>
  openTestDatabase({
    applicationName: "settling",
    maxConnections: 1,
    plans: "by_index_in_turn",
  }),
);
const fixture = started(() => createDeliveryFixture(database.url));
beforeAll(async () => {
  for (let index = 0; index < webhookCount; index += 1) webhookIds.push(await fixture.addWebhook());
});

const entriesRead = () => indexEntriesRead(database, "webhooks");

const outcomeOf = (webhookId: string, httpStatus: number): AttemptOutcome => ({
  accountId: fixture.accountId,
  notificationId: uuidV7.next(),
  webhookId,
  claimId: uuidV7.next(),
  attemptId: uuidV7.next(),
  attemptNumber: 1,
  startedAt: instant(Date.now()),
  url: "https://receiver.example",
  endpointClass: "healthy",
  claimSize: 1,
  durationMs: 20,
  verdict: httpStatus < 300 ? { kind: "succeeded" } : { kind: "retry", delayMs: 5_000 },
  httpStatus,
  errorClass: null,
  errorDetail: null,
  requestHeaders: {},
  responseHeaders: null,
  responseBody: null,
});

/** The first statistics are those of an empty table; the next, of all webhooks. */
test.each([["before"], ["after"]])("reads only the webhooks of the outcomes, %s the first ANALYZE", async (when) => {
  if (when === "after") await fixture.pool.query("VACUUM ANALYZE webhooks");
  for (const failed of [false, true]) {
    const outcomes = webhookIds
      .slice(-attempted)
      .map((webhookId, place) => outcomeOf(webhookId, failed && place === 0 ? 500 : 204));
    const before = await entriesRead();
    await settleOutcomes(database, outcomes, [], () => "[]");
    // Found, locked and updated, by their keys.
    expect([failed, (await entriesRead()) - before < 6 * attempted]).toEqual([failed, true]);
  }
});
