import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { tooLarge, UnreadableFile } from "@svc/edi";
import { uuidV7 } from "@svc/persistence";
import { storeEdiFile, storeRejectedEdiFile } from "@svc/persistence/edi-files";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import { rejectedEdi } from "../messages/process-edi.ts";

const compress = promisify(gzip);

export type IntakeContext = Pick<TrackingContext, "database" | "clock">;

/** A file that a partner left for an account. */
export interface LeftFile {
  readonly accountId: string;
  readonly partner: string;
  /** SCAC of the carrier, for messages that name none. */
  readonly scac: string | null;
  readonly source: "folder" | "sftp" | "mail";
  readonly name: string;
}

/** Folders that files are moved to once they are stored, or refused. */
export const receivedFolder = "received";
export const rejectedFolder = "rejected";

/** Names that transfer programs give to incomplete files. */
const incomplete = /^\.|\.(?:part|partial|filepart|tmp|temp|writing)$/i;

export const isIncomplete = (name: string): boolean => incomplete.test(name);

/** A name has at most 255 bytes in common file systems; with the id in front it may lose its end. */
export const movedName = (id: string, name: string): string =>
  Buffer.from(`${id}-${name}`)
    .subarray(0, 250)
    .toString()
    .replace(/\uFFFD+$/, "");

const commonFields = ({ name, source, partner, scac }: LeftFile, { clock }: IntakeContext) => ({
  name: name.slice(0, 250).toWellFormed(),
  source,
  partner,
  scac,
  receivedAt: clock.now(),
});

/** Stores a file like one that is sent to the API. @returns its id; null: too many messages of the account wait. */
export async function storeLeftFile(context: IntakeContext, file: LeftFile, bytes: Uint8Array): Promise<string | null> {
  const stored = await storeEdiFile(context.database.sql, file.accountId, {
    id: uuidV7.next(),
    ...commonFields(file, context),
    sizeBytes: bytes.byteLength,
    contentHash: createHash("sha256").update(bytes).digest(),
    gzippedBody: await compress(bytes),
  });
  return stored?.id ?? null;
}

/** Records a file that is too large to be stored. */
export async function rejectLeftFile(
  context: IntakeContext,
  file: LeftFile,
  { id, sizeBytes }: { readonly id: string; readonly sizeBytes: number },
): Promise<void> {
  const refusal = new UnreadableFile({ line: 1, segment: 0, detail: tooLarge(sizeBytes) });
  const received = { id, ...commonFields(file, context), sizeBytes };
  await storeRejectedEdiFile(context.database.sql, file.accountId, received, rejectedEdi(refusal));
}
