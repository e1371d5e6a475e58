import type { TrackingSetup } from "./tracking-setup.ts";

/** Polls the number now, regardless of its schedule. */
export async function pollAgain(setup: TrackingSetup, number: string): Promise<void> {
  await setup.rows("UPDATE tracking_subjects SET next_poll_at = NULL WHERE number <> $1", number);
  await setup.rows("UPDATE tracking_subjects SET next_poll_at = $2 WHERE number = $1", number, setup.clock.now());
  await setup.pollDue();
}

/** Tracks the number in a new account that subscribes to every event. */
export async function track(setup: TrackingSetup, number: string): Promise<{ accountId: string; shipmentId: string }> {
  const accountId = await setup.newAccount();
  await setup.subscribe(["*"], accountId);
  const requestId = await setup.request(number, { accountId, refNumbers: ["PO-1"] });
  await pollAgain(setup, number);
  const { id: shipmentId } = await setup.row<{ id: string }>(
    "SELECT shipment_id AS id FROM tracking_requests WHERE id = $1",
    requestId,
  );
  return { accountId, shipmentId };
}

export interface NotifiedEvent {
  readonly event: string;
  readonly reference_id: string;
  readonly included: string;
}
export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The notification events after those of the creation. */
export async function notificationsAfterCreation(setup: TrackingSetup, accountId: string): Promise<NotifiedEvent[]> {
  const events = await setup.rows<NotifiedEvent>(
    "SELECT * FROM notification_events WHERE account_id = $1 ORDER BY id",
    accountId,
  );
  return events
    .slice(events.findIndex(({ event }) => event === "tracking_request.succeeded"))
    .filter(({ event }, index) => index > 0 && event !== "container.created");
}
export const includedIn = (notified: NotifiedEvent): Resource[] => JSON.parse(notified.included) as Resource[];
