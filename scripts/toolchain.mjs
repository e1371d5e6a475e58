import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { connectToRegistry } from "./registry.mjs";
import { repository } from "./repository.mjs";
import { captureProgram } from "./run-program.mjs";

const inRepository = (...parts) => path.join(repository, ...parts);
/** Written after an installation: what was installed, and where pnpm is. */
const stampFile = inRepository("node_modules", ".installed.json");

function announce(what) {
  process.stderr.write(`${what} …\n`);
}

/** The environment of everything we run: no telemetry, no updates, nothing of the npm that started us. */
function baseEnvironment() {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle|command|execpath|node_execpath)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    TURBO_TELEMETRY_DISABLED: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
    DO_NOT_TRACK: "1",
    CHECKPOINT_DISABLE: "1",
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    // Prisma would download its engine; this one comes with the packages.
    PRISMA_SCHEMA_ENGINE_BINARY: inRepository("packages/persistence/tools/schema-engine.mjs"),
    npm_config_loglevel: "error",
  };
}

function putFirstOnPath(environment, folder) {
  environment.PATH = `${folder}${path.delimiter}${environment.PATH}`;
}

/** A Node that runs TypeScript, from the package registry, locked in tools/node. */
async function bringNode(environment) {
  const folder = inRepository("tools/node");
  const bin = path.join(folder, "node_modules", `node-${process.platform}-${process.arch}`, "bin");
  if (!fs.existsSync(path.join(bin, "node"))) {
    announce("Fetching Node");
    const registry = await connectToRegistry(environment);
    await registry.fetchWith("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], environment, folder);
  }
  putFirstOnPath(environment, bin);
}

function readStamp() {
  try {
    return JSON.parse(fs.readFileSync(stampFile, "utf8"));
  } catch {
    return {};
  }
}

/** Finds, in npm's folder, the pnpm that package.json names; fetches it when it is not there. */
async function findPnpm(environment) {
  const { packageManager } = JSON.parse(fs.readFileSync(inRepository("package.json"), "utf8"));
  const registry = await connectToRegistry(environment);
  const found = await registry.fetchWith(
    "npx",
    ["--yes", `--package=${packageManager}`, "-c", "command -v pnpm"],
    environment,
  );
  return found.trim().split("\n").at(-1);
}

/** Installs the packages unless those of this lockfile are there. Nothing is asked of the network then. */
async function installPackages(environment) {
  const lock = createHash("sha256")
    .update(fs.readFileSync(inRepository("pnpm-lock.yaml")))
    .digest("hex");
  const stamp = readStamp();
  const pnpm = stamp.pnpm && fs.existsSync(stamp.pnpm) ? stamp.pnpm : await findPnpm(environment);
  // turbo calls it by name.
  putFirstOnPath(environment, path.dirname(pnpm));
  if (stamp.lock !== lock) {
    announce("Installing packages");
    const flags = [
      "--frozen-lockfile",
      "--reporter=append-only",
      "--loglevel=warn",
      "--config.confirmModulesPurge=false",
    ];
    const registry = await connectToRegistry(environment);
    await registry.fetchWith(pnpm, ["install", ...flags], environment);
  }
  if (stamp.lock !== lock || stamp.pnpm !== pnpm) fs.writeFileSync(stampFile, JSON.stringify({ lock, pnpm }));
}

/** Packages are installed and services are built below the repository. Throws when nothing can be written there. */
function requireWritableRepository() {
  try {
    fs.accessSync(repository, fs.constants.W_OK);
  } catch (error) {
    throw new Error(
      `${repository} is read-only for this user (${error.code}). The commands install packages and build there: run them in a copy or clone that you may write to.`,
    );
  }
}

/**
 * Brings what a command needs and is not there yet. Rejects with the words of the program that failed.
 * @returns the environment for the command.
 */
export async function prepare(needs) {
  requireWritableRepository();
  const environment = baseEnvironment();
  if (needs.bringNode) await bringNode(environment);
  await installPackages(environment);
  // `svc` and `svc-admin`, which the manifest of the scripts names.
  putFirstOnPath(environment, inRepository("scripts/node_modules/.bin"));
  return environment;
}

/** Builds the services that changed since they were last built. Rejects with the compiler's words. */
export async function buildServices(environment) {
  await captureProgram(
    inRepository("node_modules/.bin/turbo"),
    ["run", "build", "--output-logs=errors-only", "--log-order=grouped"],
    environment,
  );
}
