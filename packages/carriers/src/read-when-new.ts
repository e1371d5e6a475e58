import { createHash } from "node:crypto";
import type { CarrierAnswer, CarrierQuery, CarrierReply, ReceivedReply } from "./carrier.ts";

/** Parses a reply unless its bytes are unchanged: most replies are, and hashing is much cheaper than parsing. */
export function readWhenNew(
  { knownHash }: Pick<CarrierQuery, "knownHash">,
  received: ReceivedReply,
  read: () => CarrierReply,
): CarrierAnswer {
  const isKnown = knownHash != null && createHash("sha256").update(received.body).digest().equals(knownHash);
  return isKnown ? { outcome: "unchanged", ...received, read } : read();
}
