import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type ChildExit, stopChild, waitForExit } from "./child-exit.ts";
import { freePort } from "./free-port.ts";
import { commandOf, hasEnded, signalProcess } from "./running-process.ts";

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended for any reason. */
  readonly exited: Promise<ChildExit>;
  stop(): Promise<void>;
}

export interface RedisServerOptions {
  readonly port?: number;
  /** Folder of the append-only file; without it the data is in memory only. */
  readonly dataDir?: string;
  /** Password of the server. Without it any user of this machine may connect; only for throw-away data. */
  readonly password?: string;
  /** Further lines of redis.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

const startTimeoutMs = 10_000;
const stopGraceMs = 1_500;
const programs = ["redis-server", "valkey-server"];

/** Path of the installed Redis or Valkey program; undefined when there is none. */
export function findRedisProgram(): string | undefined {
  return programs.find((program) => spawnSync(program, ["--version"]).status === 0);
}

/** Stops a server that outlived a killed launcher, because two servers would corrupt one append-only file. */
async function stopLeftover(pidFile: string): Promise<void> {
  if (!fs.existsSync(pidFile)) return;
  const pid = Number(fs.readFileSync(pidFile, "utf8"));
  if (!programs.some((program) => commandOf(pid)?.includes(program))) return;
  signalProcess(pid, "SIGTERM");
  if (!(await hasEnded(pid, 5_000))) signalProcess(pid, "SIGKILL");
}

/** Starts a separate Redis. Rejects when the machine has no redis-server or valkey-server. */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const program = findRedisProgram();
  if (!program) throw new Error("There is no redis-server or valkey-server on this machine.");
  const port = options.port ?? (await freePort());
  const dir = options.dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), "svc-redis-"));
  fs.mkdirSync(dir, { recursive: true });
  const pidFile = path.join(dir, "redis.pid");
  await stopLeftover(pidFile);
  const settings = {
    port: String(port),
    bind: "127.0.0.1",
    dir,
    pidfile: pidFile,
    save: "",
    "maxmemory-policy": "noeviction",
    appendonly: options.dataDir ? "yes" : "no",
    appendfsync: "everysec",
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  // Passed on stdin, because every user of the machine can read the arguments of a process.
  const input = options.password === undefined ? "" : `requirepass ${options.password}\n`;
  const { pid, exited, stop } = await runUntilReady(program, ["-", ...flags], input, "Ready to accept connections");
  return {
    url: `redis://${options.password === undefined ? "" : `:${encodeURIComponent(options.password)}@`}127.0.0.1:${port}`,
    port,
    pid,
    exited,
    async stop() {
      await stop();
      if (!options.dataDir) fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts a Sentinel, of which `url` is its own address, with lines of sentinel.conf about the masters that it watches.
 * Rejects when the machine has no redis-server or valkey-server.
 */
export async function startSentinel(lines: readonly string[]): Promise<RedisServer> {
  const program = findRedisProgram();
  if (!program) throw new Error("There is no redis-server or valkey-server on this machine.");
  const port = await freePort();
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "svc-sentinel-"));
  // It writes the topology into its configuration, so that must be a file.
  const file = path.join(dir, "sentinel.conf");
  fs.writeFileSync(file, [`port ${port}`, "bind 127.0.0.1", `dir ${dir}`, ...lines, ""].join("\n"), { mode: 0o600 });
  const { pid, exited, stop } = await runUntilReady(program, [file, "--sentinel"], "", "+monitor master");
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid,
    exited,
    async stop() {
      await stop();
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Runs Redis with an input, and resolves when its log has a text. */
async function runUntilReady(
  program: string,
  flags: readonly string[],
  input: string,
  readyText: string,
): Promise<Pick<RedisServer, "pid" | "exited" | "stop">> {
  // The process is in a group of its own: Ctrl-C in a terminal must not reach it before the services that use it.
  const child = spawn(program, flags, { stdio: ["pipe", "pipe", "ignore"], detached: true });
  child.stdin.end(input);
  const exited = waitForExit(child);
  await new Promise<void>((resolve, reject) => {
    let log = "";
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`Redis did not start in ${startTimeoutMs / 1000} s.`));
    }, startTimeoutMs);
    void exited.then(({ code }) => {
      clearTimeout(timer);
      reject(new Error(`Redis cannot start (${program} ended with ${code}): ${log.trim().split("\n").at(-1)}`));
    });
    child.stdout.on("data", (chunk: Buffer) => {
      // Clients that connect during recovery fill the log, so only its end is kept.
      log = (log + chunk.toString()).slice(-20_000);
      if (log.includes(readyText)) {
        clearTimeout(timer);
        resolve();
      }
    });
  });
  running.add(child);
  void exited.then(() => running.delete(child));
  return {
    pid: child.pid ?? 0,
    exited,
    stop: () => stopChild(child, exited, { signal: "SIGTERM", forceSignal: "SIGKILL", graceMs: stopGraceMs }),
  };
}
