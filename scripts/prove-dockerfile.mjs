// Performs docker/Dockerfile for one app without a container engine: every instruction in order, each stage in a folder
// of its own, until the service answers its health check.
//   node scripts/prove-dockerfile.mjs deeplink DATABASE_URL=postgresql://… SVC_BASE_URL=…
//   node scripts/prove-dockerfile.mjs persistence DATABASE_URL=postgresql://… -- node dist/migrate-cli.js
// A command after `--` replaces the image's own, as in compose.yml, and must end without an error.
// Files come from git's index and working tree as the build context would have them. What it cannot prove: the base
// images themselves and the user that the container runs as.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { readCopy, readDockerfile, readExecForm, readVariables } from "./dockerfile.ts";

const root = path.resolve(import.meta.dirname, "..");
const words = process.argv.slice(2);
const dashes = words.includes("--") ? words.indexOf("--") : words.length;
const [app, ...assignments] = words.slice(0, dashes);
const oneShot = words.slice(dashes + 1);
if (!app) {
  console.error("Which app? For example: node scripts/prove-dockerfile.mjs deeplink DATABASE_URL=postgresql://…");
  process.exit(2);
}
const settings = Object.fromEntries(assignments.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
const work = fs.mkdtempSync(path.join(os.tmpdir(), "svc-dockerfile-"));
/** Stands for /usr/local: where `npm install --global` of the base stage puts its programs. */
const prefix = path.join(work, "usr-local");
const stages = new Map();

function log(text) {
  console.log(`${((performance.now() / 1000) | 0).toString().padStart(4)} s  ${text}`);
}

function makeContext() {
  const folder = path.join(work, "context");
  const listed = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of listed.stdout.split("\n").filter((name) => name && fs.existsSync(path.join(root, name)))) {
    fs.cpSync(path.join(root, file), path.join(folder, file));
  }
  return folder;
}

function environmentOf(stage) {
  const { PATH, HOME, NODE_EXTRA_CA_CERTS, ...rest } = process.env;
  const registry = Object.entries(rest).filter(([name]) => name.toLowerCase().startsWith("npm_config_registry"));
  return {
    ...Object.fromEntries(registry),
    PATH: [path.join(prefix, "bin"), path.dirname(process.execPath), "/usr/bin", "/bin"].join(":"),
    HOME,
    ...(NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {}),
    npm_config_prefix: prefix,
    ...stage.variables,
  };
}

const workdirOf = (stage) => path.join(stage.folder, stage.workdir);

function copy(stage, words) {
  const { from, sources, target } = readCopy(words);
  const origin = from ? stages.get(from).folder : stages.get("context").folder;
  for (const source of sources) {
    const wanted = path.join(origin, source);
    const into = path.resolve(workdirOf(stage), target);
    const isFolder = fs.statSync(wanted).isDirectory();
    fs.cpSync(wanted, isFolder ? into : path.join(into, path.basename(source)), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

function run(stage, words) {
  const command = words.replace(/^(--mount=\S+ )*/, "");
  log(`${stage.name}: ${command}`);
  const result = spawnSync("/bin/sh", ["-c", command], {
    cwd: workdirOf(stage),
    env: environmentOf(stage),
    encoding: "utf8",
  });
  if (result.status !== 0) throw new Error(`${command}\n${result.stdout}${result.stderr}`);
}

function perform({ name, base, instructions }) {
  const inherited = stages.get(base);
  const folder = path.join(work, name);
  if (inherited) fs.cpSync(inherited.folder, folder, { recursive: true, verbatimSymlinks: true });
  fs.mkdirSync(folder, { recursive: true });
  const stage = { name, folder, workdir: inherited?.workdir ?? "/", variables: { ...inherited?.variables } };
  stages.set(name, stage);
  for (const { keyword, words } of instructions) {
    if (keyword === "ARG") stage.variables.APP = app;
    else if (keyword === "ENV") Object.assign(stage.variables, readVariables(words));
    else if (keyword === "COPY") copy(stage, words);
    else if (keyword === "RUN") run(stage, words);
    else if (keyword === "CMD") stage.command = readExecForm(words);
    else if (keyword === "HEALTHCHECK") stage.healthCheck = readExecForm(words);
    else if (keyword === "WORKDIR") {
      stage.workdir = words;
      fs.mkdirSync(workdirOf(stage), { recursive: true });
    }
  }
  return stage;
}

async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function runOnce(stage, [program, ...rest]) {
  const environment = { ...environmentOf(stage), ...settings };
  const result = spawnSync(program, rest, { cwd: workdirOf(stage), env: environment, encoding: "utf8" });
  if (result.status !== 0) throw new Error(`It failed.\n${result.stdout}${result.stderr}`);
  log(result.stdout.trim());
}

/** Starts the final stage's command and asks its health check until it agrees. */
async function proveItRuns(stage) {
  const environment = { ...environmentOf(stage), HOST: "127.0.0.1", PORT: String(await freePort()), ...settings };
  const [program, ...rest] = stage.command;
  const child = spawn(program, rest, { cwd: workdirOf(stage), env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    const deadline = performance.now() + 30_000;
    for (;;) {
      const [checker, ...words] = stage.healthCheck;
      if (spawnSync(checker, words, { cwd: workdirOf(stage), env: environment }).status === 0) return;
      if (child.exitCode !== null || performance.now() > deadline) throw new Error(`It does not run.\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

try {
  stages.set("context", { folder: makeContext() });
  const described = readDockerfile(fs.readFileSync(path.join(root, "docker/Dockerfile"), "utf8"));
  const final = described.map(perform).at(-1);
  const folder = workdirOf(final);
  log(`image content: ${spawnSync("du", ["-sh", folder], { encoding: "utf8" }).stdout.split("\t")[0]}`);
  if (oneShot.length > 0) {
    runOnce(final, oneShot);
  } else {
    await proveItRuns(final);
    log(`${app} is healthy`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}
