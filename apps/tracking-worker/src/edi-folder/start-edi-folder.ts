import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ediBytesMax, findPartnerProfile, tooLarge, UnreadableFile } from "@svc/edi";
import { uuidV7 } from "@svc/persistence";
import { activeAccounts, storeEdiFile, storeRejectedEdiFile } from "@svc/persistence/edi-files";
import { type Logger, repeat, type WatchedLoop } from "@svc/service-kit";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import { rejectedEdi } from "../messages/process-edi.ts";

export const scanEveryMs = 1_000;
/** Where files are moved once they are stored, or refused. */
const takenFolder = "received";
const rejectedFolder = "rejected";
/** What transfer programs call a file that is not complete. */
const incomplete = /^\.|\.(?:part|partial|filepart|tmp|temp|writing)$/i;
const accountShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** `hamburg-sud`, or `hamburg-sud.SUDU` with the carrier of messages that name none. */
const partnerShape = /^([a-z0-9-]+)(?:\.([A-Z]{4}))?$/;

const compress = promisify(gzip);

export interface EdiFolderOptions {
  readonly context: Pick<TrackingContext, "database" | "clock">;
  /** Has a folder for each account, named by its id, with a folder for each partner. */
  readonly folder: string;
  readonly logger: Logger;
  readonly watched?: WatchedLoop;
}

interface Dropped {
  readonly accountId: string;
  readonly partner: string;
  readonly scac: string | null;
  readonly folder: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** Changes while the file is written. */
  readonly version: string;
}

/**
 * Takes the files that partners drop in `<folder>/<account id>/<partner>/`, or `<partner>.<SCAC>/`. A file is taken
 * once two scans found it unchanged, stored like one that is sent to the API, and then moved to `received`, or to
 * `rejected` if it is too large to be stored. A file that was stored but not moved yet is taken again, which changes
 * nothing.
 */
export function startEdiFolder(options: EdiFolderOptions): { stop(): Promise<void> } {
  const { logger, watched } = options;
  let before = new Map<string, string>();
  /** Versions of files that could not be taken: each is logged once, and tried again at every scan. */
  let refused = new Set<string>();
  const failed = (error: unknown): void => logger.warn({ err: error }, "edi_folder.not_read");
  const scan = async (): Promise<void> => {
    const found = await droppedFiles(options);
    const versions = new Map<string, string>();
    const refusedNow = new Set<string>();
    for (const file of found) {
      const place = path.join(file.folder, file.name);
      versions.set(place, file.version);
      if (before.get(place) !== file.version) continue;
      try {
        await take(options, file);
      } catch (error) {
        const version = `${place} ${file.version}`;
        if (!refused.has(version)) logger.warn({ ...about(file), err: error }, "edi_file.not_taken");
        refusedNow.add(version);
      }
      watched?.step();
    }
    before = versions;
    refused = refusedNow;
  };
  return repeat(scanEveryMs, scan, failed, watched);
}

const about = ({ accountId, partner, name, sizeBytes }: Dropped) => ({
  account_id: accountId,
  partner,
  name,
  bytes: sizeBytes,
});

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : []));
}

/** The files of active accounts and known partners, in the order of their names. */
async function droppedFiles({ folder, context }: EdiFolderOptions): Promise<Dropped[]> {
  const named = (await foldersIn(folder)).filter((name) => accountShape.test(name));
  const accounts = await activeAccounts(context.database.sql, named);
  const files: Dropped[] = [];
  for (const accountId of accounts) {
    for (const partnerName of await foldersIn(path.join(folder, accountId))) {
      const [, partner = "", scac = null] = partnerShape.exec(partnerName) ?? [];
      if (findPartnerProfile(partner) === null) continue;
      const of = path.join(folder, accountId, partnerName);
      for (const name of (await readdir(of)).toSorted()) {
        if (incomplete.test(name)) continue;
        // Not what a link points to: it may be anywhere.
        const stats = await lstat(path.join(of, name));
        if (!stats.isFile()) continue;
        const version = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
        files.push({ accountId, partner, scac, folder: of, name, sizeBytes: stats.size, version });
      }
    }
  }
  return files;
}

async function take({ context, logger }: EdiFolderOptions, file: Dropped): Promise<void> {
  const { accountId, partner, scac, folder, name, sizeBytes } = file;
  const { database, clock } = context;
  const common = { id: uuidV7.next(), name: name.slice(0, 250).toWellFormed(), source: "folder" } as const;
  const received = { ...common, partner, scac, receivedAt: clock.now(), sizeBytes };
  if (sizeBytes > ediBytesMax) {
    // Moved first: of several workers only one can, so that it is recorded once.
    await moveTo(rejectedFolder, file, common.id);
    const refusal = new UnreadableFile({ line: 1, segment: 0, detail: tooLarge(sizeBytes) });
    await storeRejectedEdiFile(database.sql, accountId, received, rejectedEdi(refusal));
    logger.warn({ ...about(file), file_id: common.id }, "edi_file.too_large");
    return;
  }
  const bytes = await readFile(path.join(folder, name));
  const contentHash = createHash("sha256").update(bytes).digest();
  const gzippedBody = await compress(bytes);
  const stored = await storeEdiFile(database.sql, accountId, {
    ...received,
    sizeBytes: bytes.byteLength,
    contentHash,
    gzippedBody,
  });
  // The account's quota of waiting messages: the file stays where it is.
  if (stored === null) return;
  await moveTo(takenFolder, file, stored.id);
  logger.info({ ...about(file), file_id: stored.id }, "edi_file.received");
}

async function moveTo(subfolder: string, { folder, name }: Dropped, id: string): Promise<void> {
  await mkdir(path.join(folder, subfolder), { recursive: true });
  // A name has at most 255 bytes in common file systems; with the id in front it may lose its end.
  const moved = Buffer.from(`${id}-${name}`)
    .subarray(0, 250)
    .toString()
    .replace(/\uFFFD+$/, "");
  await rename(path.join(folder, name), path.join(folder, subfolder, moved));
}
