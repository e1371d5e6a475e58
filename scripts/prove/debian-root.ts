import fs from "node:fs";
import path from "node:path";
import { report, run } from "./shell.ts";

/** Why this machine cannot make and enter a Debian root; undefined when it can. */
export function unsupportedMachineReason(): string | undefined {
  if (process.platform !== "linux") return `This needs Linux. This machine runs ${process.platform}.`;
  if (process.getuid?.() !== 0) return "This needs root: it mounts file systems and makes network namespaces.";
  if (!["x64", "arm64"].includes(process.arch)) return `This needs x64 or arm64, not ${process.arch}.`;
  for (const program of ["apt-get", "dpkg-deb", "perl", "unshare", "nsenter", "ip", "chroot"]) {
    const folders = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
    if (!folders.some((folder) => fs.existsSync(path.join(folder, program))))
      return `This needs ${program}: run it on Debian, with the packages iproute2 and util-linux.`;
  }
  return undefined;
}

/** The archive from which the machine's apt installs. */
function debianArchive(): string {
  const [uri = "http://deb.debian.org/debian"] = run("apt-get", ["indextargets", "--format", "$(REPO_URI)"])
    .split("\n")
    .filter((line) => /\/debian\/?$/.test(line));
  return uri;
}

export type Suite = "bookworm" | "forky";

/** Creates roots and archives of Debian in a folder, with mmdebstrap that is unpacked there and not installed. */
export class DebianRoots {
  private readonly program: string;
  private readonly archive = debianArchive();
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    run("sh", ["-c", 'cd "$1" && apt-get download mmdebstrap && dpkg-deb -x mmdebstrap_*.deb .', "sh", folder]);
    this.program = path.join(folder, "usr/bin/mmdebstrap");
  }

  /** A folder, or an archive when the name ends in `.tar`. */
  make(name: string, suite: Suite, packages: readonly string[], hooks: readonly string[] = []): string {
    const target = path.join(this.folder, name);
    report(`Debian ${suite} with ${packages.join(", ")}`);
    run("nice", [
      "perl",
      this.program,
      "--mode=root",
      "--variant=minbase",
      // The index of a suite in development expires when the archive is a copy.
      '--aptopt=Acquire::Check-Valid-Until "false"',
      '--aptopt=APT::Install-Recommends "false"',
      `--include=${packages.join(",")}`,
      ...hooks.map((hook) => `--customize-hook=${hook}`),
      suite,
      target,
      this.archive,
    ]);
    return target;
  }
}
