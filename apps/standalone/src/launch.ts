import { randomInt } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startOrphanGuard } from "@svc/local-stores";
import { createDatabase } from "@svc/persistence";
import { clearDataFolder, type DataFolder, openDataFolder } from "./data-folder.ts";
import { lockDataFolder } from "./launcher-lock.ts";
import { awaitLeftovers } from "./leftovers.ts";
import { renderLogLine } from "./log-line.ts";
import { type MailCatcher, startMailCatcher } from "./mail-catcher.ts";
import type { LauncherOptions } from "./options.ts";
import { requireFreePorts } from "./ports.ts";
import { readyMessage } from "./ready-message.ts";
import { findOtherLauncher, type Runtime, readLeftPids, removeRuntimeFile, writeRuntimeFile } from "./runtime-file.ts";
import { readSecrets, type Secrets } from "./secrets.ts";
import { addressesFrom, type Environment, planServices } from "./service-plans.ts";
import { setUpDatabase } from "./set-up-database.ts";
import { serviceReady, startService } from "./start-service.ts";
import { runPostgres, runRedis, type Stores } from "./stores.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

/** Default data folder, in the repository wherever the command was typed. */
export const defaultDataFolder = path.join(repository, ".svc");

const appsFolder = path.join(repository, "apps");
const migrationsFolder = path.join(repository, "packages/persistence/prisma/migrations");

interface LaunchInput {
  readonly options: LauncherOptions;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  readonly colour: boolean;
}

/** What every step of the start needs. */
interface Launch extends LaunchInput {
  readonly data: DataFolder;
  readonly supervisor: Supervisor;
  readonly printLine: (name: string, line: string) => void;
  readonly log: (level: "info" | "warn", msg: string) => void;
}

/**
 * Runs the whole system until `signal` is aborted, then stops it. Rejects with StartError when it cannot start, with
 * nothing left running.
 */
export async function launch(input: LaunchInput): Promise<void> {
  const { options, environment, signal } = input;
  const startedAt = performance.now();
  const printLine = (name: string, line: string) =>
    input.print(`${renderLogLine(name, line, { colour: input.colour })}\n`);
  const log: Launch["log"] = (level, msg) =>
    printLine("launcher", JSON.stringify({ level, time: new Date().toISOString(), msg }));
  const data = openDataFolder(options.dataDir);
  const lock = lockDataFolder(data);
  // Tools look in one place, wherever the data is; SVC_RUNTIME_FILE is for several systems at once.
  const published = path.resolve(environment.SVC_RUNTIME_FILE ?? path.join(defaultDataFolder, "runtime.json"));
  // The file in the data folder is written last: a tool that waits for it finds both.
  const runtimeFiles = new Set([published, data.runtimeFile]);
  let writeRuntime: (() => void) | undefined;
  let catcher: MailCatcher | undefined;
  const supervisor = createSupervisor({
    guard: startOrphanGuard(),
    warn: (line) => log("warn", line),
    onRestart: () => writeRuntime?.(),
  });
  const launched: Launch = { ...input, data, supervisor, printLine, log };
  try {
    if (lock.tookOver) await awaitLeftovers(readLeftPids(data.runtimeFile));
    fs.rmSync(data.runtimeFile, { force: true });
    await requireFreePorts(options.portBase);
    if (options.fresh || data.isNew) clearDataFolder(data);
    const secrets = readSecrets(data.secretsFile, environment.SVC_DEMO_TOKEN);

    const stores = await startStores(launched, secrets);
    catcher = environment.SVC_SMTP_URL ? undefined : await startMailCatcher(data.mails, secrets.storePassword);
    await startServices(launched, secrets, stores, catcher);

    const describe = () => describeRuntime(launched, secrets, stores, catcher);
    writeRuntime = () => {
      for (const file of runtimeFiles) if (findOtherLauncher(file) === undefined) writeRuntimeFile(file, describe());
    };
    warnOfOtherSystem(launched, published);
    writeRuntime();
    const sampleNumber = `SBXDIR${String(randomInt(1_000_000)).padStart(6, "0")}`;
    const seconds = (performance.now() - startedAt) / 1000;
    input.print(readyMessage(describe(), { sampleNumber, lines: options.lines, seconds }));
    if (!signal.aborted) await once(signal, "abort");
    log("info", "stopping");
  } finally {
    writeRuntime = undefined;
    await supervisor.stop();
    await catcher?.close();
    for (const file of runtimeFiles) removeRuntimeFile(file, process.pid);
    lock.release();
  }
}

/** Starts PostgreSQL and, unless the queue is in PostgreSQL, Redis, and prepares the databases. */
async function startStores(launched: Launch, secrets: Secrets): Promise<Stores> {
  const { options, environment, signal, data, supervisor } = launched;
  const postgresUrl = await runPostgres(supervisor, data, secrets.storePassword);
  signal.throwIfAborted();
  const redisUrl = await runRedis(supervisor, data, options.queue, environment.REDIS_URL, secrets.storePassword);
  const stores: Stores = {
    databaseUrl: `${postgresUrl}/svc`,
    queue: redisUrl ? "redis" : "postgres",
    queueUrl: redisUrl ?? `${postgresUrl}/queue`,
    ...(redisUrl ? { redisUrl } : {}),
  };
  if (!redisUrl) await createDatabase(stores.queueUrl);
  await setUpDatabase(stores.databaseUrl, migrationsFolder, secrets);
  signal.throwIfAborted();
  return stores;
}

/** Resolves when every service is ready. */
async function startServices(
  launched: Launch,
  secrets: Secrets,
  stores: Stores,
  catcher: MailCatcher | undefined,
): Promise<void> {
  const { options, environment, signal, data, supervisor, printLine } = launched;
  const { SVC_SMTP_URL: smtpUrl, SVC_MAIL_FROM: from } = environment;
  const mail = catcher
    ? { smtpUrl: catcher.url, from: "alerts@example.com", folder: data.mails }
    : { smtpUrl: smtpUrl ?? "", from, folder: undefined };
  const { portBase, lines } = options;
  const plans = planServices({ portBase, data, secrets, stores, mail, environment, lines });
  await Promise.all(
    plans.map(async (plan) => {
      const start = async () => startService(plan, appsFolder, printLine);
      const process = await supervisor.run({ name: plan.name, stage: "service", stopSignal: "SIGTERM", start });
      await serviceReady(plan, process, signal);
    }),
  );
}

function describeRuntime(
  { options, data, supervisor }: Launch,
  secrets: Secrets,
  stores: Stores,
  catcher: MailCatcher | undefined,
): Runtime {
  const addresses = addressesFrom(options.portBase);
  return {
    ...addresses,
    token: secrets.token,
    login: secrets.login,
    pids: { ...supervisor.pids(), launcher: process.pid },
    dataDir: data.path,
    ...(catcher && { mail: `${addresses.app}/account/mail` }),
    queue: stores.queue,
    databaseUrl: stores.databaseUrl,
  };
}

function warnOfOtherSystem({ data, log }: Launch, published: string): void {
  const other = findOtherLauncher(published);
  if (other === undefined) return;
  log(
    "warn",
    `${published} describes the system of process ${other}, which tools keep using; this one is in ${data.runtimeFile}`,
  );
}
