import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { CarrierReply, ReceivedReply } from "@svc/carriers";
import type { ReplyChannel } from "@svc/domain/observations";

const compress = promisify(gzip);

/** A reply with its hash and compressed body, computed before the transaction begins. */
export interface PreparedReply {
  readonly reply: CarrierReply;
  /** Null: the carrier was unreachable. */
  readonly evidence: Evidence | null;
}

export interface Evidence {
  readonly channel: ReplyChannel;
  readonly url: string;
  readonly httpStatus: number | null;
  /** SHA-256 of the body's bytes. */
  readonly contentHash: Buffer;
  /** Null: the bytes equal the last usable reply, which is stored. */
  readonly gzippedBody: Buffer | null;
}

async function createEvidence(
  { body, url, httpStatus }: ReceivedReply,
  lastHash: Uint8Array | null,
): Promise<Evidence> {
  const contentHash = createHash("sha256").update(body).digest();
  const isSame = lastHash !== null && contentHash.equals(lastHash);
  return { channel: "poll", url, httpStatus, contentHash, gzippedBody: isSame ? null : await compress(body) };
}

export async function prepareReply(reply: CarrierReply, lastHash: Uint8Array | null): Promise<PreparedReply> {
  return { reply, evidence: reply.outcome === "unreachable" ? null : await createEvidence(reply, lastHash) };
}
