#!/usr/bin/env node
import fs from "node:fs";
import path from "node:path";
import { runAdmin } from "./run-admin.ts";

interface Sources {
  readonly databaseUrl: string | undefined;
  readonly carriers: string | undefined;
}

/** Sources of the system that `npm start` runs here. */
function runningSystem(): Sources {
  try {
    const runtime = fs.readFileSync(path.resolve(".svc/runtime.json"), "utf8");
    const { databaseUrl, sandbox } = JSON.parse(runtime) as { databaseUrl?: string; sandbox?: string };
    const line = { scac: "SBXL", protocol: "dcsa-2.2", baseUrl: sandbox };
    return { databaseUrl, carriers: sandbox && JSON.stringify([line]) };
  } catch {
    return { databaseUrl: undefined, carriers: undefined };
  }
}

/** Sources of the environment, which are not mixed with those of the running system. */
function sources(): Sources {
  const { DATABASE_DIRECT_URL: directUrl, DATABASE_URL: url, SVC_CARRIERS: carriers } = process.env;
  const databaseUrl = directUrl || url;
  return databaseUrl ? { databaseUrl, carriers } : runningSystem();
}

process.exitCode = await runAdmin(process.argv.slice(2), {
  ...sources(),
  environment: process.env,
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
});
