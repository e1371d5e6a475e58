import { spawn } from "node:child_process";
import path from "node:path";
import { freePort } from "@svc/local-stores";
import { connectDatabase } from "@svc/persistence";
import { eventually } from "@svc/testkit";
import { repository } from "../repository.mjs";
import type { ServerRoot } from "./server-root.ts";
import { runWithOutput } from "./shell.ts";

const data = "/srv/restored/data";

/** Takes a base backup with the WAL that completes it, as docs/backup.md describes, while the services write. */
export async function takeBaseBackup(servers: ServerRoot, replicationUrl: string): Promise<void> {
  servers.makeFolder("srv/restored", "postgres");
  const options = ["--wal-method=stream", "--checkpoint=fast", "--manifest-checksums=sha256"];
  const asPostgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"];
  const inRoot = [servers.root, ...asPostgres, "env", "PATH=/usr/lib/postgresql/18/bin:/usr/bin:/bin"];
  await runWithOutput("chroot", [...inRoot, "pg_basebackup", "--dbname", replicationUrl, "--pgdata", data, ...options]);
  await runWithOutput("chroot", [...inRoot, "pg_verifybackup", "--quiet", data]);
}

/** Starts PostgreSQL on the backup alone. @returns its port. */
export async function startRestored(servers: ServerRoot): Promise<number> {
  const port = await freePort();
  const settings = [`port=${port}`, "synchronous_standby_names=", "unix_socket_directories=/srv/restored"];
  servers.start("restored", "postgres", ["postgres", "-D", data, ...settings.flatMap((setting) => ["-c", setting])]);
  return port;
}

/** Returns the output of `svc-admin replay --verify` for a database. Rejects unless it finds no difference. */
export function replay(databaseUrl: string, carriers: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(repository, "apps/admin/src/main.ts"), "replay", "--verify"], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, SVC_CARRIERS: carriers },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(output.trim());
      else reject(new Error(`svc-admin replay --verify ended with ${code}:\n${output.slice(-4_000)}`));
    });
  });
}

/** Rejects unless the restored database has every one of these tracking requests. */
export async function checkRestored(databaseUrl: string, ids: readonly string[]): Promise<void> {
  const database = connectDatabase({ url: databaseUrl, applicationName: "proof", onIdleError: () => undefined });
  try {
    const text = "SELECT id FROM tracking_requests WHERE id = ANY($1)";
    const { rows } = await eventually(
      "the restored PostgreSQL accepts connections",
      () => database.pool.query(text, [ids]),
      60_000,
    );
    if (rows.length < ids.length) throw new Error(`The backup lacks ${ids.length - rows.length} of ${ids.length}.`);
  } finally {
    await database.close();
  }
}
