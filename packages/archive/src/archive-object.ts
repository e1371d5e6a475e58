import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip, zstdCompress, zstdDecompress } from "node:zlib";
import type { Instant } from "@svc/domain";

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** A stored reply with the bytes of its body. */
export interface ObjectReply {
  readonly id: string;
  readonly subjectId: string;
  readonly channel: string;
  readonly receivedAt: Instant;
  readonly url: string;
  readonly httpStatus: number | null;
  readonly eventCount: number;
  readonly body: Uint8Array;
}

/** The shipment whose replies an object contains. */
export interface ObjectHeader {
  readonly accountId: string;
  readonly shipmentId: string;
  readonly number: string;
  readonly scac: string;
}

interface Line extends Omit<ObjectReply, "body"> {
  /** SHA-256 of the bytes of the body, hexadecimal. */
  readonly contentHash: string;
  /** A body that is UTF-8 as text, any other in base64. */
  readonly body?: string;
  readonly bodyBase64?: string;
}

const format = "svc-reply-archive";
const version = 1;

export const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

/** An object of the archive does not contain what was written. */
export class ArchiveDamagedError extends Error {
  override readonly name = "ArchiveDamagedError";
}

function lineOf({ body, ...reply }: ObjectReply): Line {
  const bytes = Buffer.from(body);
  const content = isUtf8(bytes) ? { body: bytes.toString("utf8") } : { bodyBase64: bytes.toString("base64") };
  return { ...reply, contentHash: sha256(bytes).toString("hex"), ...content };
}

/**
 * JSON lines, compressed with Zstandard: the header, then a reply in each line. Consecutive replies are almost equal,
 * which compression over all of them uses.
 */
export function encodeObject(header: ObjectHeader, replies: readonly ObjectReply[]): Promise<Buffer> {
  const lines = [{ format, version, ...header }, ...replies.map(lineOf)];
  return compress(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** The bodies of an object by the ids of the replies. Throws ArchiveDamagedError when one does not match its hash. */
export async function decodeObject(object: Uint8Array): Promise<ReadonlyMap<string, Buffer>> {
  const text = await decompress(object).then(
    (bytes) => bytes.toString("utf8"),
    () => {
      throw new ArchiveDamagedError("The object cannot be decompressed.");
    },
  );
  const [first = "", ...rest] = text.trimEnd().split("\n");
  const header = JSON.parse(first) as { readonly format?: string; readonly version?: number };
  if (header.format !== format || header.version !== version)
    throw new ArchiveDamagedError("The object is of another format or version.");
  const bodies = rest.map((line): readonly [string, Buffer] => {
    const { id, contentHash, body, bodyBase64 } = JSON.parse(line) as Line;
    const bytes = body === undefined ? Buffer.from(bodyBase64 ?? "", "base64") : Buffer.from(body, "utf8");
    if (sha256(bytes).toString("hex") !== contentHash)
      throw new ArchiveDamagedError(`The body of reply ${id} differs from its hash.`);
    return [id, bytes];
  });
  return new Map(bodies);
}

/** The body as the database stores it. */
export const gzipped: (body: Uint8Array) => Promise<Buffer> = promisify(gzip);
