import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort } from "./free-port.ts";

export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface RedisServerOptions {
  readonly port?: number;
  /** Keeps an append-only file there; absent: memory only. */
  readonly dataDir?: string;
}

const startTimeoutMs = 10_000;

/** The Redis or Valkey program of this machine, or undefined when it has none. */
export function findRedisProgram(): string | undefined {
  return ["redis-server", "valkey-server"].find((program) => spawnSync(program, ["--version"]).status === 0);
}

/** Starts a Redis of its own. Rejects when the machine has no redis-server or valkey-server. */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const program = findRedisProgram();
  if (!program) throw new Error("There is no redis-server or valkey-server on this machine.");
  const port = options.port ?? (await freePort());
  const dir = options.dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), "svc-redis-"));
  fs.mkdirSync(dir, { recursive: true });
  const durability = options.dataDir ? ["--appendonly", "yes", "--appendfsync", "everysec"] : ["--appendonly", "no"];
  const flags = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    dir,
    "--save",
    "",
    "--maxmemory-policy",
    "noeviction",
  ];
  const child = spawn(program, [...flags, ...durability], { stdio: ["ignore", "pipe", "pipe"], detached: true });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let log = "";
    const timer = setTimeout(
      () => reject(new Error(`Redis did not start in ${startTimeoutMs} ms: ${log}`)),
      startTimeoutMs,
    );
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Redis ended with ${code}: ${log}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes("Ready to accept connections")) {
        clearTimeout(timer);
        resolve();
      }
    });
  });
  child.stdout.resume();
  child.stderr.resume();
  const killOnExit = () => child.kill("SIGKILL");
  process.once("exit", killOnExit);
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      process.off("exit", killOnExit);
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await exited;
      if (!options.dataDir) fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}
