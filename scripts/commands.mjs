import fs from "node:fs";
import path from "node:path";
import { repository } from "./repository.mjs";
import { runProgram } from "./run-program.mjs";
import { buildServices, prepare } from "./toolchain.mjs";

/** The environment of commands that run our programs: a build also generates the database client. */
async function prepareBuilt(needs) {
  const environment = await prepare(needs);
  await buildServices(environment);
  return environment;
}

/** Every command: its arguments and whether a newer Node must be fetched, to its exit code. */
export const commands = {
  async start(args, needs) {
    // Before anything is fetched, which may take a minute.
    if (args.includes("--help") || args.includes("-h")) {
      process.stdout.write(fs.readFileSync(path.join(repository, "apps/standalone/src/usage.txt"), "utf8"));
      return 0;
    }
    const environment = await prepareBuilt(needs);
    return runProgram("node", ["apps/standalone/src/main.ts", ...args], environment, { endsWithUs: true });
  },
  async test(args, needs) {
    const environment = await prepareBuilt(needs);
    return runProgram("node", ["tests/runner/run-tests.ts", ...args], environment, { endsWithUs: true });
  },
  /** Renews the reference pictures of pages. */
  async pictures(args, needs) {
    const environment = { ...(await prepareBuilt(needs)), SVC_RENEW_PICTURES: "true" };
    const test = ["tests/browser/pages/reference-pictures.test.ts", "--selectProjects", "pages"];
    return runProgram("node", ["tests/runner/run-tests.ts", ...test, ...args], environment, { endsWithUs: true });
  },
  async "test:steady"(args, needs) {
    const environment = await prepareBuilt(needs);
    return runProgram("node", ["tests/runner/run-steadily.ts", ...args], environment, { endsWithUs: true });
  },
  async bench(args, needs) {
    const environment = await prepareBuilt(needs);
    return runProgram("node", ["bench/run.ts", ...args], environment, { endsWithUs: true });
  },
  async "seed:large"(args, needs) {
    return runProgram("node", ["bench/seed-large.ts", ...args], await prepareBuilt(needs));
  },
  async check(args, needs) {
    return runProgram("node", ["scripts/check.mjs", ...args], await prepare(needs));
  },
  /** Prints a CycloneDX SBOM of what the services run with. */
  async sbom(args, needs) {
    const members = ["--filter", "./apps/*", "--filter", "@svc/persistence"];
    const format = ["--sbom-format", "cyclonedx", "--sbom-type", "application", "--prod"];
    return runProgram("pnpm", [...members, "sbom", ...format, ...args], await prepare(needs));
  },
  async "prove:containers"(args, needs) {
    return runProgram("node", ["scripts/prove/containers.ts", ...args], await prepare(needs));
  },
  async "test:chaos"(args, needs) {
    return runProgram("node", ["scripts/prove/chaos.ts", ...args], await prepareBuilt(needs));
  },
  async "prove:redis"(args, needs) {
    return runProgram("node", ["scripts/prove/redis.ts", ...args], await prepareBuilt(needs));
  },
  async "prove:growth"(args, needs) {
    return runProgram("node", ["scripts/prove/growth.ts", ...args], await prepare(needs));
  },
  async "prove:upgrade"(args, needs) {
    return runProgram("node", ["scripts/prove/upgrade.ts", ...args], await prepareBuilt(needs));
  },
  async "prove:failover"(args, needs) {
    return runProgram("node", ["scripts/prove/failover.ts", ...args], await prepareBuilt(needs));
  },
  /** Runs any program with the Node and pnpm that the other commands use. */
  async exec([program, ...args], needs) {
    if (!program) throw new Error("Usage: npm run x -- <program> [arguments]");
    return runProgram(program, args, await prepare(needs));
  },
};
