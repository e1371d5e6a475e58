import fs from "node:fs";

/**
 * A built service has no folder of migrations: what it needs to know of them is written beside the generated client.
 */
const names = fs.readdirSync("prisma/migrations", { withFileTypes: true }).filter((entry) => entry.isDirectory());
const last = names
  .map(({ name }) => name)
  .sort()
  .at(-1);
if (!last) throw new Error("prisma/migrations has no migration.");
fs.writeFileSync("src/generated/last-migration.ts", `export const lastMigration = ${JSON.stringify(last)};\n`);
