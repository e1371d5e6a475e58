import { checkDiskSpace, checkSecretKey, createSecretBox, type Database } from "@svc/persistence";
import { findMissingRights, readMigrationStatus, readServerFacts } from "@svc/persistence/operations";
import { connectQueues, queueUrl } from "@svc/queue";
import { secretKeys } from "@svc/service-kit";
import type { Command } from "commander";
import type { AdminContext, AdminSession } from "../admin-session.ts";
import { showRows } from "../show-rows.ts";

/** PostgreSQL 18. */
const oldestVersion = 180_000;
const clockWarningMs = 1_000;
const clockFailureMs = 30_000;

interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "failed" | "skipped";
  readonly detail: string;
}

type Outcome = Omit<Finding, "check">;

const ok = (detail: string): Outcome => ({ status: "ok", detail });
const failed = (detail: string): Outcome => ({ status: "failed", detail });

/** Runs each check on its own: one that rejects has failed with its message. */
async function run(check: string, work: () => Promise<Outcome>): Promise<Finding> {
  try {
    return { check, ...(await work()) };
  } catch (error) {
    return { check, ...failed((error as Error).message) };
  }
}

async function checkServer(database: Database): Promise<Finding[]> {
  const facts = readServerFacts(database);
  return [
    await run("connection", async () => {
      const { isReadOnly, databaseBytes } = await facts;
      if (isReadOnly) return failed("The database is read-only: a standby, or a demoted primary.");
      return ok(`${(databaseBytes / 1e6).toFixed(0)} MB stored`);
    }),
    await run("version", async () => {
      const { version, versionText } = await facts;
      return version >= oldestVersion ? ok(versionText) : failed(`PostgreSQL ${versionText}: 18 or later is needed.`);
    }),
    await run("clock", async () => {
      const { clockAheadMs } = await facts;
      const detail = `The server's clock is ${Math.abs(clockAheadMs)} ms ${clockAheadMs < 0 ? "behind" : "ahead of"} this machine's.`;
      if (Math.abs(clockAheadMs) > clockFailureMs) return failed(`${detail} Synchronise both by NTP.`);
      return { status: Math.abs(clockAheadMs) > clockWarningMs ? "warning" : "ok", detail };
    }),
  ];
}

/** @param isBeforeUpgrade whether missing migrations are expected. */
async function checkSchema(database: Database, isBeforeUpgrade: boolean): Promise<Finding[]> {
  const rights = await run("rights", async () => {
    const missing = await findMissingRights(database.pool);
    return missing.length === 0
      ? ok("The user may do all that the migrations do.")
      : failed(`As an administrator, run in this database: ${missing.map((one) => `${one};`).join(" ")}`);
  });
  const migrations = await run("migrations", async () => {
    const { applied, needed, isCurrent } = await readMigrationStatus(database);
    if (isCurrent) return ok(`${applied.length} applied, up to ${needed}`);
    const detail = `The database lacks migration ${needed}, which this version needs. Run the migrations of this version.`;
    return isBeforeUpgrade ? { status: "warning", detail } : failed(detail);
  });
  const disk = await run("disk", async () => {
    await checkDiskSpace(database);
    return ok("The server can write temporary files.");
  });
  if (migrations.status !== "ok") return [rights, disk, migrations];
  return [
    rights,
    disk,
    migrations,
    await run("tenant role", async () => {
      await database.pingAsTenant();
      return ok("The user may act as the role that isolates accounts.");
    }),
  ];
}

async function checkQueue(environment: AdminContext["environment"]): Promise<Outcome> {
  const { SVC_QUEUE_URL: url, SVC_QUEUE_PREFIX: prefix } = environment;
  if (!url) return { status: "skipped", detail: "SVC_QUEUE_URL is not set." };
  const { error } = queueUrl.safeParse(url);
  if (error) return failed(`SVC_QUEUE_URL is not valid: ${error.issues[0]?.message}.`);
  const queues = connectQueues({ url, prefix: prefix || "svc", onError: () => undefined });
  try {
    await queues.verify();
    await queues.generation();
    return ok("The job queue accepts writes and drops no jobs.");
  } finally {
    await queues.close();
  }
}

async function checkKey(database: Database, keys: string | undefined): Promise<Outcome> {
  if (!keys) return { status: "skipped", detail: "SVC_SECRET_KEY is not set." };
  const read = secretKeys.safeParse(keys.trim());
  if (!read.success) return failed(`SVC_SECRET_KEY ${read.error.issues[0]?.message}.`);
  await checkSecretKey(database.sql, createSecretBox(read.data));
  return ok("SVC_SECRET_KEY opens the stored secrets.");
}

export function addDoctorCommand(program: Command, session: AdminSession): void {
  const { context } = session;
  program
    .command("doctor")
    .description(
      "Check the requirements of the services: database, rights, migrations, clock, disk, job queue, secret key.",
    )
    .option("--before-upgrade", "missing migrations are a warning, not a failure")
    .action(async ({ beforeUpgrade = false }: { readonly beforeUpgrade?: boolean }) => {
      const database = session.database();
      const findings = [
        ...(await checkServer(database)),
        ...(await checkSchema(database, beforeUpgrade)),
        await run("job queue", () => checkQueue(context.environment)),
        await run("secret key", () => checkKey(database, context.environment.SVC_SECRET_KEY)),
      ];
      showRows(context, findings);
      session.end(findings.some(({ status }) => status === "failed") ? 1 : 0);
    });
  program
    .command("migrations")
    .description("Print the migrations of the database, and whether any that this version needs are missing.")
    .action(async () => {
      const { applied, needed, isCurrent } = await readMigrationStatus(session.database());
      showRows(context, applied);
      if (isCurrent) return;
      context.writeError(
        `The database lacks migration ${needed}, or one was not finished. Run the migrations of this version.\n`,
      );
      session.end(1);
    });
}
