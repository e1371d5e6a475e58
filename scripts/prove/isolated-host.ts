import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { run, succeeds } from "./shell.ts";

const marker = "SVC_PROOF_IS_ISOLATED";
const packages = { unshare: "util-linux", ip: "iproute2", nft: "nftables", faketime: "faketime" } as const;

/** Faults that a machine of its own allows: of its network, its file systems and the clocks of its processes. */
export interface IsolatedHost {
  /** Path of the library that gives a process a clock of its own (libfaketime). */
  readonly clockLibrary: string;
}

const isMissing = (program: string): boolean => !succeeds("sh", ["-c", `command -v ${program}`]);

/** Empty when everything is there or was installed. */
function whatIsMissing(mayInstall: boolean): string {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "root on Linux";
  const missing = () => Object.entries(packages).flatMap(([program, name]) => (isMissing(program) ? [name] : []));
  const missingPrograms = missing();
  if (mayInstall && missingPrograms.length > 0 && !isMissing("apt-get")) {
    console.log(`Installing from the system's packages: ${missingPrograms.join(" ")} …`);
    const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update", "-qq"], { env: environment, stdio: "ignore" });
    const install = ["install", "-y", "-qq", "--no-install-recommends", ...missingPrograms];
    spawnSync("apt-get", install, { env: environment, stdio: "ignore" });
  }
  if (missing().length > 0) return `the packages ${missing().join(", ")}`;
  return succeeds("unshare", ["--net", "--mount", "true"]) ? "" : "the right to make network and mount namespaces";
}

function findClockLibrary(): string {
  for (const folder of fs.globSync("/usr/lib/*/faketime")) {
    const library = path.join(folder, "libfaketimeMT.so.1");
    if (fs.existsSync(library)) return library;
  }
  throw new Error("The package faketime is installed without libfaketimeMT.so.1.");
}

/**
 * Runs this program again in network and mount namespaces of its own, where it may break both, and ends with its code.
 * In the second run it resolves with what the host allows. Undefined, after a line that says why, where the machine
 * does not allow it.
 * @param mayInstall installs missing packages of the system.
 */
export async function isolateHost(mayInstall: boolean): Promise<IsolatedHost | undefined> {
  if (process.env[marker]) {
    run("ip", ["link", "set", "lo", "up"]);
    return { clockLibrary: findClockLibrary() };
  }
  const missing = whatIsMissing(mayInstall);
  if (missing) {
    console.log(`Without faults of networks, disks and clocks, which need ${missing}.`);
    return undefined;
  }
  const child = spawn("unshare", ["--net", "--mount", process.execPath, ...process.argv.slice(1)], {
    env: { ...process.env, [marker]: "1" },
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  process.exit(code ?? 1);
}
