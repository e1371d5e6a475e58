import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** The files that git tracks, and the new ones that it does not ignore, from the root of the repository. */
export const trackedFiles = (root: string): string[] =>
  execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((file) => file !== "" && fs.existsSync(path.join(root, file)));
