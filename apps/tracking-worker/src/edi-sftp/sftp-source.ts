import { compareText } from "@svc/domain";
import { ediBytesMax } from "@svc/edi";
import { uuidV7 } from "@svc/persistence";
import type { EdiSourceError } from "@svc/persistence/edi-files";
import {
  isIncomplete,
  movedName,
  receivedFolder,
  rejectedFolder,
  rejectLeftFile,
  storeLeftFile,
} from "../edi-folder/received-file.ts";
import { messagesWaiting, SourceFailure } from "../edi-sources/source-failure.ts";
import type { EdiSource, PolledSource, SourcePoll } from "../edi-sources/start-edi-sources.ts";
import type { SftpServer } from "./sftp-server.ts";
import { type ListedFile, openSftp, type SftpSession } from "./sftp-session.ts";

const filesMax = 10_000;

/** The files that the last poll found, by name. */
type SftpFiles = Readonly<
  Record<
    string,
    {
      /** Changes while the file is written. */
      readonly version: string;
      /** The id of the EDI file; absent until it is stored. */
      readonly storedAs?: string;
    }
  >
>;

/**
 * An SFTP server on which a partner leaves files. A file is taken once two polls found it unchanged, stored like one
 * that is sent to the API, and then moved, or remembered if the partner's server is not to be changed.
 */
export const sftpSource = (server: SftpServer): EdiSource => ({
  ...server,
  kind: "sftp",
  poll: (poll) => pollServer(server, poll),
});

async function pollServer(server: SftpServer, poll: SourcePoll): Promise<PolledSource> {
  const session = await openSftp(server);
  try {
    const listed = (await session.list()).filter(({ name }) => !isIncomplete(name));
    if (listed.length > filesMax) {
      const detail = `The folder has ${listed.length} files, and up to ${filesMax} are read. Move old ones.`;
      throw new SourceFailure("too_many_files", detail);
    }
    const before = poll.state as SftpFiles;
    const files: Record<string, SftpFiles[string]> = {};
    let error: EdiSourceError | null = null;
    for (const file of listed.toSorted((a, b) => compareText(a.name, b.name))) {
      const { name, version } = file;
      const known = before[name];
      files[name] = known?.version === version ? known : { version };
      // Its size or time changed since the last poll, or the next poll continues here.
      if (known?.version !== version || error === messagesWaiting || poll.isOver()) continue;
      const result = await take({ ...poll, server, session }, file, known.storedAs ?? null);
      if (result.storedAs !== undefined) files[name] = { version, storedAs: result.storedAs };
      if (result.isMoved) delete files[name];
      error = result.error ?? error;
    }
    return { state: files, error };
  } finally {
    session.close();
  }
}

interface TakeResult {
  readonly storedAs?: string;
  readonly isMoved?: boolean;
  readonly error?: EdiSourceError;
}

interface Taking extends SourcePoll {
  readonly server: SftpServer;
  readonly session: SftpSession;
}

/** Stores a file, unless an earlier poll did and could not move it, then moves it. */
async function take(taking: Taking, file: ListedFile, storedBefore: string | null): Promise<TakeResult> {
  const { server, session } = taking;
  const isTooLarge = file.sizeBytes > ediBytesMax;
  let storedAs = storedBefore;
  if (storedAs === null) {
    const bytes = isTooLarge ? null : await read(session, file);
    if (bytes !== null && "error" in bytes) return bytes;
    storedAs = bytes === null ? await reject(taking, file) : await store(taking, file, bytes);
    if (storedAs === null) return { error: messagesWaiting };
    await taking.save({ [file.name]: { version: file.version, storedAs } }, 1);
  }
  if (server.afterwards === "keep") return { storedAs };
  try {
    await session.move(file.name, isTooLarge ? rejectedFolder : receivedFolder, movedName(storedAs, file.name));
    return { isMoved: true };
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    const detail = `${file.name} was stored and cannot be moved: let this user create folders and rename files, or set afterwards to "keep".`;
    return { storedAs, error: { code: "not_moved", detail } };
  }
}

async function read(
  session: SftpSession,
  { name, sizeBytes }: ListedFile,
): Promise<Buffer | { error: EdiSourceError }> {
  try {
    const bytes = await session.read(name, ediBytesMax);
    if (bytes?.byteLength === sizeBytes) return bytes;
    return {
      error: { code: "file_changed", detail: `${name} changed while it was read. The next poll reads it again.` },
    };
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    return { error: { code: "not_read", detail: `${name} cannot be read: let this user read it.` } };
  }
}

async function store({ context, server, logger }: Taking, file: ListedFile, bytes: Buffer): Promise<string | null> {
  const id = await storeLeftFile(context, { ...server, source: "sftp", name: file.name }, bytes);
  if (id !== null) logger.info({ ...about(server, file), file_id: id }, "edi_file.received");
  return id;
}

async function reject({ context, server, logger }: Taking, file: ListedFile): Promise<string> {
  const id = uuidV7.next();
  await rejectLeftFile(context, { ...server, source: "sftp", name: file.name }, { id, sizeBytes: file.sizeBytes });
  logger.warn({ ...about(server, file), file_id: id }, "edi_file.too_large");
  return id;
}

const about = ({ partner }: SftpServer, { name, sizeBytes }: ListedFile) => ({
  partner,
  name,
  bytes: sizeBytes,
});
