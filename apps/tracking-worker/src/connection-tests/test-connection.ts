import { setTimeout as sleep } from "node:timers/promises";
import { type CarrierReply, type Diagnosis, diagnoseReply, explainTest, type Unsent } from "@svc/carriers";
import { type ConnectionTest, testContainerNumber } from "@svc/domain/carrier-connections";
import type { ConnectionTestClaim } from "@svc/persistence/carrier-connections";
import type { Logger } from "@svc/service-kit";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import type { CarrierAccessGate } from "../carriers/carrier-access-gate.ts";
import type { CarrierDirectory, ConnectedCarrier } from "../carriers/carrier-directory.ts";

export interface ConnectionTester {
  readonly context: Pick<TrackingContext, "database" | "clock">;
  readonly directory: CarrierDirectory;
  readonly access: CarrierAccessGate;
  readonly logger: Logger;
}

/** A limit per minute lets the next request start after this at the latest; a test waits for it. */
const waitMaxMs = 10_000;
const testMaxMs = 45_000;

type Result = {
  readonly diagnosis: Diagnosis | Unsent;
  readonly retryInMs: number | null;
  readonly durationMs: number;
};

const unsent = (code: Unsent["code"], retryInMs: number | null = null): Result => ({
  diagnosis: { code },
  retryInMs,
  durationMs: 0,
});

/** Waits for a permit. @returns null when the call may be made, else why not. */
async function waitForPermit(
  access: CarrierAccessGate,
  connected: ConnectedCarrier,
  signal: AbortSignal,
): Promise<Result | null> {
  const deadline = performance.now() + waitMaxMs;
  for (;;) {
    const permit = await access.permitTest(connected);
    if (permit.kind === "granted") {
      if (permit.inMs > 0) await sleep(permit.inMs, undefined, { signal });
      return null;
    }
    if (permit.reason === "paused") return unsent("paused", permit.retryInMs);
    if (performance.now() + permit.retryInMs > deadline) return unsent("budget_spent", permit.retryInMs);
    await sleep(permit.retryInMs, undefined, { signal });
  }
}

/** One harmless query, for a container number that no account tracks. */
async function call(connected: ConnectedCarrier, signal: AbortSignal): Promise<[CarrierReply | null, number]> {
  const startedAt = performance.now();
  const limited = AbortSignal.any([signal, AbortSignal.timeout(testMaxMs)]);
  try {
    const polled = await connected.carrier?.track({ kind: "container", number: testContainerNumber }, limited);
    const reply = polled?.outcome === "unchanged" ? polled.read() : polled;
    return [reply ?? null, performance.now() - startedAt];
  } catch (error) {
    if (signal.aborted || !limited.aborted) throw error;
    return [null, performance.now() - startedAt];
  }
}

async function runTest(
  { directory, access }: ConnectionTester,
  claim: ConnectionTestClaim,
  signal: AbortSignal,
): Promise<Result> {
  const connected = await directory.findForTest(claim);
  if (connected === null) return unsent("not_offered");
  const denied = await waitForPermit(access, connected, signal);
  if (denied !== null) return denied;
  const [reply, durationMs] = await call(connected, signal);
  if (reply === null) return { ...unsent("timed_out"), durationMs };
  await access.report(connected, reply);
  // The reader of the outcome sees the health of the connection that follows from it.
  await access.flush();
  const retryInMs = reply.outcome === "rate_limited" ? reply.retryAfterMs : null;
  return { diagnosis: diagnoseReply(reply), retryInMs, durationMs };
}

/** Makes the test call and explains the outcome. Rejects only when `signal` aborts. */
export async function testConnection(
  tester: ConnectionTester,
  claim: ConnectionTestClaim,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const { context, directory, logger } = tester;
  const about = { account_id: claim.accountId, connection_id: claim.id, scac: claim.scac };
  const failed = (error: unknown): Result => {
    if (signal.aborted) throw error;
    logger.error({ ...about, err: error }, "connection_test.failed");
    return unsent("internal_error");
  };
  const { diagnosis, retryInMs, durationMs } = await runTest(tester, claim, signal).catch(failed);
  const { code } = diagnosis;
  const httpStatus = "httpStatus" in diagnosis ? diagnosis.httpStatus : null;
  const outcome = { code, httpStatus, durationMs: Math.round(durationMs) };
  logger.info({ ...about, ...outcome }, "connection_test.finished");
  const addresses = directory.addressesOf(claim.scac) ?? undefined;
  return {
    testedAt: context.clock.now(),
    explanation: explainTest(claim.scac, addresses, diagnosis, retryInMs),
    ...outcome,
  };
}
