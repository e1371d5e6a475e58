import { createHash } from "node:crypto";
import path from "node:path";
import ssh2, { type SFTPWrapper } from "ssh2";
import { fileTimeoutMs, fileTooSlow, SourceFailure } from "../edi-sources/source-failure.ts";
import type { SftpServer } from "./sftp-server.ts";

export interface ListedFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly version: string;
}

export interface SftpSession {
  /** The regular files of the folder. */
  list(): Promise<ListedFile[]>;
  /** @returns null: it has more bytes than `bytesMax`. */
  read(name: string, bytesMax: number): Promise<Buffer | null>;
  /** Moves a file of the folder to a folder below it, which is created. */
  move(name: string, subfolder: string, movedAs: string): Promise<void>;
  close(): void;
}

const stepTimeoutMs = 20_000;
const chunkBytes = 256 * 1024;
const noSuchFile = 2;
const permissionDenied = 3;

/** `SHA256:…`, as `ssh-keygen -lf` prints it. */
export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;

type Callback<T> = (error: Error | undefined | null, value: T) => void;

/** Connects and checks the key of the host before anything secret is sent. Throws SourceFailure. */
export async function openSftp(server: SftpServer): Promise<SftpSession> {
  const client = new ssh2.Client();
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  const lose = (failure: SourceFailure): void => lost.reject(failure);
  /** An answer that never comes, and a connection that ends meanwhile, are failures. */
  const within = async <T>(what: string, start: (done: Callback<T>) => void): Promise<T> => {
    const timer = setTimeout(() => {
      lose(
        new SourceFailure("timed_out", `${server.host} did not answer within ${stepTimeoutMs / 1_000} s (${what}).`),
      );
      client.destroy();
    }, stepTimeoutMs);
    try {
      const completion = new Promise<T>((resolve, reject) =>
        start((error, value) => (error ? reject(error) : resolve(value))),
      );
      return await Promise.race([completion, lost.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  let foundKey: string | null = null;
  client.on("error", (error) => lose(toSourceFailure(error, server, foundKey)));
  client.on("close", () => lose(new SourceFailure("connection_lost", `${server.host} closed the connection.`)));
  try {
    await within<void>("connect", (done) => {
      client.once("ready", () => done(null));
      // A poll is many small requests, each of which would wait up to 40 ms for more to send.
      client.once("connect", () => client.setNoDelay(true));
      client.connect({
        host: server.host,
        port: server.port,
        username: server.username,
        ...(server.password === undefined ? {} : { password: server.password }),
        ...(server.privateKey === undefined ? {} : { privateKey: server.privateKey }),
        ...(server.passphrase === undefined ? {} : { passphrase: server.passphrase }),
        readyTimeout: stepTimeoutMs,
        keepaliveInterval: 5_000,
        hostVerifier: (key: Buffer) => {
          foundKey = fingerprintOf(key);
          return foundKey === server.hostKey;
        },
      });
    });
    const sftp = await within<SFTPWrapper>("open SFTP", (done) => client.sftp(done));
    return sessionOver(sftp, server, within, () => client.end());
  } catch (error) {
    client.destroy();
    throw error instanceof SourceFailure ? error : toSourceFailure(error as Error, server, foundKey);
  }
}

function sessionOver(
  sftp: SFTPWrapper,
  { folder, host }: SftpServer,
  within: <T>(what: string, start: (done: Callback<T>) => void) => Promise<T>,
  close: () => void,
): SftpSession {
  const at = (...names: readonly string[]): string => path.posix.join(folder, ...names);
  return {
    async list() {
      const entries = await within<ssh2.FileEntryWithStats[]>("list", (done) => sftp.readdir(folder, done)).catch(
        (error: unknown) => {
          throw listFailure(error, folder, host);
        },
      );
      return entries.flatMap(({ filename, attrs }) => {
        // Links are skipped, and names that lead out of the folder.
        if (!attrs.isFile() || filename.includes("/") || filename.includes("\u0000")) return [];
        return [{ name: filename, sizeBytes: attrs.size, version: `${attrs.size} ${attrs.mtime}` }];
      });
    },
    async read(name, bytesMax) {
      const until = performance.now() + fileTimeoutMs;
      const handle = await within<Buffer>("open", (done) => sftp.open(at(name), "r", done));
      try {
        const chunks: Buffer[] = [];
        let position = 0;
        for (;;) {
          const offset = position;
          const chunk = await within<Buffer>("read", (done) =>
            sftp.read(handle, Buffer.alloc(chunkBytes), 0, chunkBytes, offset, (error, count, buffer) =>
              // The end of the file is an error of the protocol.
              (error as { code?: number } | undefined)?.code === 1
                ? done(null, Buffer.alloc(0))
                : done(error, Buffer.from(buffer?.subarray(0, count) ?? [])),
            ),
          );
          if (chunk.length === 0) return Buffer.concat(chunks);
          chunks.push(chunk);
          position += chunk.length;
          if (position > bytesMax) return null;
          if (performance.now() > until) throw fileTooSlow(name);
        }
      } finally {
        await within<void>("close", (done) => sftp.close(handle, (error) => done(error)));
      }
    },
    async move(name, subfolder, movedAs) {
      const target = at(subfolder);
      const exists = await within<boolean>("stat", (done) => sftp.stat(target, (error) => done(null, !error)));
      if (!exists) await within<void>("create folder", (done) => sftp.mkdir(target, (error) => done(error)));
      await within<void>("rename", (done) => sftp.rename(at(name), at(subfolder, movedAs), (error) => done(error)));
    },
    close,
  };
}

function listFailure(error: unknown, folder: string, host: string): unknown {
  const { code } = error as { code?: unknown };
  if (code === noSuchFile) return new SourceFailure("folder_not_found", `${host} has no folder ${folder}.`);
  if (code === permissionDenied)
    return new SourceFailure("permission_denied", `${host} does not let this user list the folder ${folder}.`);
  return error;
}

/** Messages of the library may contain what the server sent, so only its codes are used. */
function toSourceFailure(
  error: Error,
  { host, port, hostKey, username }: SftpServer,
  foundKey: string | null,
): SourceFailure {
  const { code, level } = error as { code?: string; level?: string };
  if (foundKey !== null && foundKey !== hostKey)
    return new SourceFailure(
      "host_key_mismatch",
      `The key of ${host} is ${foundKey}, not the configured one. Nothing secret was sent. Ask the partner before you change hostKey.`,
    );
  if (level === "client-authentication")
    return new SourceFailure("authentication_failed", `${host} rejected the password or key of ${username}.`);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new SourceFailure("name_not_resolved", `The name ${host} could not be resolved.`);
  if (code === "ECONNREFUSED")
    return new SourceFailure("connection_refused", `${host} accepts no connection on port ${port}.`);
  if (level === "client-timeout" || code === "ETIMEDOUT")
    return new SourceFailure("timed_out", `${host} did not answer within ${stepTimeoutMs / 1_000} s.`);
  return new SourceFailure("connection_failed", `The connection to ${host} failed (${code ?? level ?? "no code"}).`);
}
