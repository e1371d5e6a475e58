#!/usr/bin/env node
import { spawn } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import { exitCodes } from "./errors/cli-error.ts";
import { runCli } from "./run-cli.ts";

const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (interruption.signal.aborted) process.exit(exitCodes.interrupted);
    interruption.abort();
  });
}
// `svc … | head` has read enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  cwd: process.cwd(),
  home: os.homedir(),
  userId: process.getuid?.(),
  input: process.stdin,
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, "drain");
  },
  writeError: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
  columns: process.stdout.columns ?? 80,
  signal: interruption.signal,
  run(program, args) {
    const child = spawn(program, args, { stdio: "inherit" });
    return new Promise((resolve, reject) => {
      child.once("error", (error: NodeJS.ErrnoException) =>
        error.code === "ENOENT" ? resolve(undefined) : reject(error),
      );
      child.once("exit", (code) => resolve(code ?? exitCodes.interrupted));
    });
  },
});
