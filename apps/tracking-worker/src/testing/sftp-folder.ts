import { generateKeyPairSync } from "node:crypto";
import fs from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import ssh2, { type FileEntry, type SFTPWrapper } from "ssh2";
import { fingerprintOf } from "../edi-sftp/sftp-session.ts";

const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp;

export interface SftpFolder {
  readonly port: number;
  /** `SHA256:…` */
  readonly hostKey: string;
  /** The only user, who may sign in with either. */
  readonly user: { readonly username: string; readonly password: string; readonly privateKey: string };
  /** Number of connections that were authenticated. */
  signIns(): number;
  stop(): Promise<void>;
}

const keyPair = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });

/** An SSH server with SFTP over a folder, as a partner has it. `mayRename`: false refuses to move files. */
export async function startSftpFolder(folder: string, { mayRename = true } = {}): Promise<SftpFolder> {
  const host = keyPair().privateKey;
  const user = { username: "importer", password: "correct horse", privateKey: keyPair().privateKey };
  const allowed = ssh2.utils.parseKey(user.privateKey);
  const hostKey = ssh2.utils.parseKey(host);
  if (allowed instanceof Error || hostKey instanceof Error) throw new Error("The keys of the test are invalid.");
  let signIns = 0;
  const connections = new Set<ssh2.Connection>();
  const server = new ssh2.Server({ hostKeys: [host] }, (connection) => {
    connections.add(connection);
    // As servers of partners do; the types of the library lack it.
    (connection as unknown as { setNoDelay(isOn: boolean): void }).setNoDelay(true);
    connection.on("error", () => undefined);
    connection.on("close", () => connections.delete(connection));
    connection.on("authentication", (context) => {
      if (context.username !== user.username) return context.reject(["password", "publickey"]);
      if (context.method === "password" && context.password === user.password) return context.accept();
      if (context.method !== "publickey") return context.reject(["password", "publickey"]);
      const isKey = context.key.data.equals(allowed.getPublicSSH());
      const isSigned =
        context.signature === undefined ||
        allowed.verify(context.blob ?? Buffer.alloc(0), context.signature, context.hashAlgo) === true;
      return isKey && isSigned ? context.accept() : context.reject();
    });
    connection.on("ready", () => {
      signIns += 1;
      connection.on("session", (accept) => {
        accept().on("sftp", (acceptSftp) => serve(acceptSftp(), folder, mayRename));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hostKey: fingerprintOf(hostKey.getPublicSSH()),
    user,
    signIns: () => signIns,
    async stop() {
      for (const connection of connections) connection.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function serve(sftp: SFTPWrapper, folder: string, mayRename: boolean): void {
  const files = new Map<number, fs.FileHandle>();
  const folders = new Map<number, { entries: FileEntry[]; isRead: boolean }>();
  let last = 0;
  const handleFor = (): { number: number; handle: Buffer } => {
    last += 1;
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(last);
    return { number: last, handle };
  };
  const at = (name: string): string => path.join(folder, path.posix.join("/", name));
  /** Sends the status of an operation that fails. */
  const respond = (id: number, work: () => Promise<void>): void => {
    work().catch((error: NodeJS.ErrnoException) =>
      sftp.status(id, error.code === "ENOENT" ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.PERMISSION_DENIED),
    );
  };
  const attributes = async (name: string) => {
    const { mode, uid, gid, size, atimeMs, mtimeMs } = await fs.lstat(name);
    return { mode, uid, gid, size, atime: Math.floor(atimeMs / 1_000), mtime: Math.floor(mtimeMs / 1_000) };
  };
  sftp.on("OPENDIR", (id, name) =>
    respond(id, async () => {
      const { number, handle } = handleFor();
      const names = await fs.readdir(at(name));
      const entries = await Promise.all(
        names.map(async (filename) => ({
          filename,
          longname: filename,
          attrs: await attributes(path.join(at(name), filename)),
        })),
      );
      folders.set(number, { entries, isRead: false });
      sftp.handle(id, handle);
    }),
  );
  sftp.on("READDIR", (id, handle) => {
    const opened = folders.get(handle.readUInt32BE());
    if (opened === undefined || opened.isRead) return sftp.status(id, STATUS_CODE.EOF);
    opened.isRead = true;
    return sftp.name(id, opened.entries);
  });
  sftp.on("OPEN", (id, name, flags) =>
    respond(id, async () => {
      if (flags !== OPEN_MODE.READ) return sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
      const { number, handle } = handleFor();
      files.set(number, await fs.open(at(name)));
      sftp.handle(id, handle);
    }),
  );
  sftp.on("READ", (id, handle, offset, length) =>
    respond(id, async () => {
      const file = files.get(handle.readUInt32BE());
      const { bytesRead, buffer } = (await file?.read(Buffer.alloc(length), 0, length, offset)) ?? {
        bytesRead: 0,
        buffer: Buffer.alloc(0),
      };
      if (bytesRead === 0) sftp.status(id, STATUS_CODE.EOF);
      else sftp.data(id, buffer.subarray(0, bytesRead));
    }),
  );
  sftp.on("CLOSE", (id, handle) =>
    respond(id, async () => {
      const number = handle.readUInt32BE();
      await files.get(number)?.close();
      files.delete(number);
      folders.delete(number);
      sftp.status(id, STATUS_CODE.OK);
    }),
  );
  sftp.on("STAT", (id, name) => respond(id, async () => sftp.attrs(id, await attributes(at(name)))));
  sftp.on("MKDIR", (id, name) =>
    respond(id, async () => {
      await fs.mkdir(at(name));
      sftp.status(id, STATUS_CODE.OK);
    }),
  );
  sftp.on("RENAME", (id, from, to) =>
    respond(id, async () => {
      if (!mayRename) return sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
      await fs.rename(at(from), at(to));
      sftp.status(id, STATUS_CODE.OK);
    }),
  );
}
