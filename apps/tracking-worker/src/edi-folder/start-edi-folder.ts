import { lstat, mkdir, readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { isUuid } from "@svc/domain/identifiers";
import { ediBytesMax, findPartnerProfile } from "@svc/edi";
import { uuidV7 } from "@svc/persistence";
import { activeAccounts } from "@svc/persistence/edi-files";
import { type Logger, repeat, type WatchedLoop } from "@svc/service-kit";
import {
  type IntakeContext,
  isIncomplete,
  type LeftFile,
  movedName,
  receivedFolder,
  rejectedFolder,
  rejectLeftFile,
  storeLeftFile,
} from "./received-file.ts";

export const scanEveryMs = 1_000;
/** `hamburg-sud`, or `hamburg-sud.SUDU` with the carrier of messages that name none. */
const partnerShape = /^([a-z0-9-]+)(?:\.([A-Z]{4}))?$/;

export interface EdiFolderOptions {
  readonly context: IntakeContext;
  /** Folder with a folder for each account, named by its id, which has a folder for each partner. */
  readonly folder: string;
  readonly logger: Logger;
  readonly watched?: WatchedLoop;
}

interface Dropped extends LeftFile {
  readonly folder: string;
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
  const named = (await foldersIn(folder)).filter((name) => isUuid(name) && name === name.toLowerCase());
  const accounts = await activeAccounts(context.database.sql, named);
  const files: Dropped[] = [];
  for (const accountId of accounts) {
    for (const partnerName of await foldersIn(path.join(folder, accountId))) {
      const [, partner = "", scac = null] = partnerShape.exec(partnerName) ?? [];
      if (findPartnerProfile(partner) === null) continue;
      const partnerFolder = path.join(folder, accountId, partnerName);
      for (const name of (await readdir(partnerFolder)).toSorted()) {
        if (isIncomplete(name)) continue;
        // Links are skipped: their target may be anywhere.
        const stats = await lstat(path.join(partnerFolder, name));
        if (!stats.isFile()) continue;
        const version = `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
        const left = { accountId, partner, scac, source: "folder", name } as const;
        files.push({ ...left, folder: partnerFolder, sizeBytes: stats.size, version });
      }
    }
  }
  return files;
}

async function take({ context, logger }: EdiFolderOptions, file: Dropped): Promise<void> {
  const { folder, name, sizeBytes } = file;
  if (sizeBytes > ediBytesMax) {
    const id = uuidV7.next();
    // Moved first: of several workers only one can, so that it is recorded once.
    await moveTo(rejectedFolder, file, id);
    await rejectLeftFile(context, file, { id, sizeBytes });
    logger.warn({ ...about(file), file_id: id }, "edi_file.too_large");
    return;
  }
  const id = await storeLeftFile(context, file, await readFile(path.join(folder, name)));
  // The account's quota of waiting messages: the file stays where it is.
  if (id === null) return;
  await moveTo(receivedFolder, file, id);
  logger.info({ ...about(file), file_id: id }, "edi_file.received");
}

async function moveTo(subfolder: string, { folder, name }: Dropped, id: string): Promise<void> {
  await mkdir(path.join(folder, subfolder), { recursive: true });
  await rename(path.join(folder, name), path.join(folder, subfolder, movedName(id, name)));
}
