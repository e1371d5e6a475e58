import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isPortFree } from "@svc/local-stores";
import { eventually, type Program, startProgram } from "@svc/testkit";
import { type ApiClient, apiClient } from "./api-client.ts";

export const repository = fileURLToPath(new URL("../../..", import.meta.url));
const launcher = path.join(repository, "apps/standalone/src/main.ts");

/** Every port that a launcher takes is less than this above its base. */
const portsPerSystem = 20;
const readyTimeoutMs = 90_000;

/** `runtime.json` of the launcher. */
export interface Runtime {
  readonly api: string;
  readonly mcp: string;
  readonly app: string;
  readonly sandbox: string;
  readonly apiBaseUrl: string;
  readonly mail?: string;
  readonly token: string;
  readonly login: { readonly email: string; readonly password: string };
  readonly pids: Readonly<Record<string, number>>;
  readonly dataDir: string;
  readonly queue: "redis" | "postgres";
  readonly databaseUrl: string;
}

/** The whole system as a user starts it: the launcher and its processes. */
export interface System {
  readonly launcher: Program;
  readonly portBase: number;
  /** Returns the present runtime: a restarted service has another process id. */
  runtime(): Runtime;
  readonly api: ApiClient;
  stop(): Promise<void>;
}

/** A folder for data that PostgreSQL's user may enter. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-e2e-"));
  fs.chmodSync(folder, 0o755);
  return folder;
}

export function readRuntime(dataDir: string): Runtime {
  return JSON.parse(fs.readFileSync(path.join(dataDir, "runtime.json"), "utf8")) as Runtime;
}

/** The base of a block of ports that were free a moment ago: above those that `fetch` refuses, below those that the
 * system hands out by itself. */
export async function freePortBase(): Promise<number> {
  for (;;) {
    const base = 11_000 + Math.floor(Math.random() * 1_000) * portsPerSystem;
    const ports = [0, 1, 2, 3, 10, 11].map((offset) => base + offset);
    if ((await Promise.all(ports.map(isPortFree))).every(Boolean)) return base;
  }
}

/** The launcher as a process, whatever becomes of it. */
export function startLauncher(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Program {
  // A system that a person runs from this checkout keeps its own file.
  const runtimeFile = path.join(os.tmpdir(), `svc-e2e-${randomUUID()}.json`);
  return startProgram([launcher, ...args], {
    environment: { SVC_RUNTIME_FILE: runtimeFile, ...environment },
    cwd: repository,
  });
}

/** Starts the system and resolves once it says that it is ready. Rejects with its log when it is not. */
export async function startSystem(options: {
  readonly dataDir: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}): Promise<System> {
  const portBase = await freePortBase();
  const args = ["--port-base", String(portBase), "--data-dir", options.dataDir, ...(options.args ?? [])];
  const program = startLauncher(args, options.environment);
  let ended = false;
  void program.exited.then(() => {
    ended = true;
  });
  const ready = await eventually(
    "the system is ready",
    () => ended || readRuntime(options.dataDir).pids.launcher === program.pid,
    readyTimeoutMs,
  ).catch(() => false);
  if (!ready || ended) {
    await program.stop();
    throw new Error(`The system did not start:\n${program.output()}`);
  }
  const runtime = () => readRuntime(options.dataDir);
  const { apiBaseUrl, token } = runtime();
  return {
    launcher: program,
    portBase,
    runtime,
    api: apiClient(apiBaseUrl, token),
    stop: async () => void (await program.stop()),
  };
}
