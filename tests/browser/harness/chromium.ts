import fs from "node:fs";

const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser of the machine, or undefined when it has none: then the tests that need one are skipped. */
export const chromium: string | undefined = [process.env.CHROMIUM_PATH, ...programs].find(
  (program) => program !== undefined && program !== "" && fs.existsSync(program),
);
