import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type ChildExit, exitOf, stopChild } from "./child-exit.ts";
import { freePort } from "./free-port.ts";
import { commandOf, hasEnded, signalProcess } from "./running-process.ts";

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended, for whatever reason. */
  readonly exited: Promise<ChildExit>;
  stop(): Promise<void>;
}

export interface RedisServerOptions {
  readonly port?: number;
  /** Keeps an append-only file there; absent: memory only. */
  readonly dataDir?: string;
  /** Absent: everybody on this machine is let in, for data that is thrown away. */
  readonly password?: string;
}

const startTimeoutMs = 10_000;
const stopPatienceMs = 1_500;
const programs = ["redis-server", "valkey-server"];

/** The Redis or Valkey program of this machine, or undefined when it has none. */
export function findRedisProgram(): string | undefined {
  return programs.find((program) => spawnSync(program, ["--version"]).status === 0);
}

/** Two servers on one append-only file would spoil it: one that outlived a killed launcher is stopped first. */
async function stopLeftover(pidFile: string): Promise<void> {
  if (!fs.existsSync(pidFile)) return;
  const pid = Number(fs.readFileSync(pidFile, "utf8"));
  if (!programs.some((program) => commandOf(pid)?.includes(program))) return;
  signalProcess(pid, "SIGTERM");
  if (!(await hasEnded(pid, 5_000))) signalProcess(pid, "SIGKILL");
}

/** Starts a Redis of its own. Rejects when the machine has no redis-server or valkey-server. */
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
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  // In a group of its own: Ctrl-C in a terminal must not reach it before the services that use it.
  const child = spawn(program, ["-", ...flags], { stdio: ["pipe", "pipe", "ignore"], detached: true });
  // Not among the flags, which every user of the machine can read.
  child.stdin.end(options.password === undefined ? "" : `requirepass ${options.password}\n`);
  const exited = exitOf(child);
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
      // Clients that try while it recovers fill the log: only its end matters.
      log = (log + chunk.toString()).slice(-20_000);
      if (log.includes("Ready to accept connections")) {
        clearTimeout(timer);
        resolve();
      }
    });
  });
  const killOnExit = () => child.kill("SIGKILL");
  process.once("exit", killOnExit);
  void exited.then(() => process.off("exit", killOnExit));
  return {
    url: `redis://${options.password === undefined ? "" : `:${encodeURIComponent(options.password)}@`}127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    exited,
    async stop() {
      await stopChild(child, exited, { signal: "SIGTERM", insist: "SIGKILL", patienceMs: stopPatienceMs });
      if (!options.dataDir) fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}
