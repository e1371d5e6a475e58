import { createHash } from "node:crypto";
import type { CarrierAnswer, CarrierQuery, CarrierReply, ReceivedReply } from "./carrier.ts";

/** Reads a reply, unless its bytes are known: parsing costs many times what hashing does, and most replies say nothing new. */
export function readWhenNew(
  { knownHash }: Pick<CarrierQuery, "knownHash">,
  received: ReceivedReply,
  read: () => CarrierReply,
): CarrierAnswer {
  const isKnown = knownHash != null && createHash("sha256").update(received.body).digest().equals(knownHash);
  return isKnown ? { outcome: "unchanged", ...received, read } : read();
}
