import { delay } from "../commands/delay.ts";
import type { Session } from "../session.ts";
import { deliveryPrinter } from "./delivery-printer.ts";

const pauseMs = 1_000;

/** Prints the notifications of a webhook in delivery order, by polling, until Ctrl-C. */
export async function followFeed(session: Session, webhookId: string, after: string | undefined): Promise<void> {
  const { client, output, call } = session;
  const print = deliveryPrinter(session);
  const startedAt = new Date().toISOString();
  let cursor = after;
  output.note(`Notifications of webhook ${webhookId}. Ctrl-C stops.`);
  try {
    for (;;) {
      const page = await client.webhooks.notifications(
        webhookId,
        { after: cursor, pageSize: 100 },
        { signal: call.signal, format: "raw" },
      );
      for (const { attributes } of page.data) {
        // If there is no id to continue after, events from before the start are skipped.
        if (after !== undefined || attributes.created_at >= startedAt) await print(attributes.body);
      }
      cursor = page.meta?.page?.end_cursor ?? cursor;
      if (page.data.length === 0) await delay(pauseMs, call.signal);
    }
  } catch (error) {
    if (!call.signal.aborted) throw error;
    if (cursor !== undefined) output.note(`Go on later with --after ${cursor}`);
  }
}
