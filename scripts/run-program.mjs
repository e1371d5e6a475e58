import { spawn } from "node:child_process";
import fs from "node:fs";
import { repository } from "./repository.mjs";

const parentCheckMs = 1_000;

/** The process id of the npm that runs this script: the parent, or the parent of the shell between the two. */
function findNpm() {
  try {
    const [shell, option] = fs.readFileSync(`/proc/${process.ppid}/cmdline`, "utf8").split("\0");
    if (option !== "-c" || !/(^|\/)(sh|bash|dash)$/.test(shell)) return process.ppid;
    const stat = fs.readFileSync(`/proc/${process.ppid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return process.ppid;
  }
}

/** npm itself may be killed without a word; what it started then ends too. */
function whenNpmDies(act) {
  if (!process.env.npm_lifecycle_event) return () => undefined;
  const npm = findNpm();
  const timer = setInterval(() => {
    if (findNpm() !== npm) act();
  }, parentCheckMs);
  return () => clearInterval(timer);
}

/**
 * Runs a program in the repository with this terminal, passes signals on to it and waits for its end.
 * `endsWithUs`: gives it a channel by which it notices that this process was killed.
 * @returns its exit code; 1 when a signal ended it.
 */
export function runProgram(program, args, environment, { endsWithUs = false } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = ["inherit", "inherit", "inherit", ...(endsWithUs ? ["ipc"] : [])];
    const child = spawn(program, args, { cwd: repository, env: environment, stdio });
    const handlers = ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => [signal, () => child.kill(signal)]);
    for (const [signal, pass] of handlers) process.on(signal, pass);
    const stopWatching = whenNpmDies(() => child.kill("SIGTERM"));
    child.once("error", (error) => reject(new Error(`${program} cannot be run: ${error.message}`)));
    child.once("exit", (code) => {
      for (const [signal, pass] of handlers) process.off(signal, pass);
      stopWatching();
      resolve(code ?? 1);
    });
  });
}

/**
 * Runs a program to its end and gives what it wrote to stdout. Rejects with all it wrote when it fails, or when the
 * signal ended it.
 */
export function captureProgram(program, args, environment, cwd = repository, signal = undefined) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"], signal });
    let output = "";
    let all = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      all += chunk;
    });
    child.stderr.on("data", (chunk) => {
      all += chunk;
    });
    child.once("error", (error) => reject(new Error(`${program} cannot be run: ${error.message}`)));
    child.once("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${all.trim()}\n${program} ${args[0]} failed (${code}).`));
    });
  });
}
