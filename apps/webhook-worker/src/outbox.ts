import type { SendFailure } from "./mail/send-failure.ts";

/** Stored messages, of which each is leased while it is sent: several processes may send them. */
export interface Outbox<Message, Outcome> {
  /** Claims due messages by a lease. */
  claim(): Promise<readonly Message[]>;
  /** Null: it is sent, or there is no receiver any more. */
  send(message: Message): Promise<SendFailure | null>;
  /** Stores the outcome. */
  settle(message: Message, failure: SendFailure | null): Promise<Outcome>;
  onSettled(message: Message, failure: SendFailure | null, outcome: Outcome): void;
  onUnrecorded(message: Message, error: unknown): void;
}

/** Sends the messages that are due. @returns whether there were any. */
export async function sendClaimed<Message, Outcome>(outbox: Outbox<Message, Outcome>): Promise<boolean> {
  const sendOne = async (message: Message): Promise<void> => {
    const failure = await outbox.send(message);
    outbox.onSettled(message, failure, await outbox.settle(message, failure));
  };
  const claimed = await outbox.claim();
  // One whose outcome could not be stored is repeated when its lease ends.
  await Promise.all(claimed.map((message) => sendOne(message).catch((error) => outbox.onUnrecorded(message, error))));
  return claimed.length > 0;
}
