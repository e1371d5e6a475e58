#!/usr/bin/env node
import { runAdmin } from "./run-admin.ts";
import { runningSystem, type Sources } from "./running-system.ts";

/** Sources of the environment, which are not mixed with those of the running system. */
function sources(): Sources {
  const { DATABASE_DIRECT_URL: directUrl, DATABASE_URL: url, SVC_CARRIERS: carriers } = process.env;
  const databaseUrl = directUrl || url;
  return databaseUrl ? { databaseUrl, carriers } : runningSystem(".", process.getuid?.());
}

process.exitCode = await runAdmin(process.argv.slice(2), {
  ...sources(),
  environment: process.env,
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
});
