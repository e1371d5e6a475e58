import fs from "node:fs";

const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser of the machine: that of CHROMIUM_PATH, else one where Debian and others put it; undefined when there is none. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...programs].find(
    (program) => program !== undefined && program !== "" && fs.existsSync(program),
  );
}
