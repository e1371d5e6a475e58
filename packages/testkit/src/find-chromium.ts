import fs from "node:fs";

/** The shell renders alike, and needs a third of the work of a whole browser, which has a window for each page. */
const programs = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Path of the installed Chromium: CHROMIUM_PATH, or a usual location; undefined when there is none. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...programs].find(
    (program) => program !== undefined && program !== "" && fs.existsSync(program),
  );
}
