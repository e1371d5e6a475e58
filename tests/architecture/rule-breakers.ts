/** Texts by path, of a tree that looks like the repository. */
export type Tree = Readonly<Record<string, string>>;

/** `from` imports `name` of `to`. */
const importing = (from: string, to: string, name = "forbidden"): Tree => ({
  [from]: `import { ${name} } from "${"../".repeat(from.split("/").length - 1)}${to}";\n\nexport const used = ${name};\n`,
  [to]: `export const ${name} = 1;\n`,
});

/** An import that the table of .dependency-cruiser.cjs does not allow, of each package and app. */
const forbiddenImports = {
  "apps/admin": "packages/jsonapi",
  "apps/api": "packages/replay",
  "apps/carrier-sandbox": "packages/persistence",
  "apps/cli": "packages/queue",
  "apps/deeplink": "packages/queue",
  "apps/mcp": "packages/persistence",
  "apps/standalone": "packages/queue",
  "apps/tracking-worker": "packages/sdk",
  "apps/web": "packages/queue",
  "apps/webhook-worker": "packages/carriers",
  "packages/archive": "packages/carriers",
  "packages/carriers": "packages/persistence",
  "packages/domain": "packages/persistence",
  "packages/edi": "packages/persistence",
  "packages/egress": "packages/persistence",
  "packages/jsonapi": "packages/queue",
  "packages/local-stores": "packages/domain",
  "packages/persistence": "packages/jsonapi",
  "packages/queue": "packages/persistence",
  "packages/redis": "packages/persistence",
  "packages/replay": "packages/queue",
  "packages/sdk": "packages/persistence",
  "packages/service-kit": "packages/domain",
  "packages/testkit": "packages/domain",
  "packages/views": "packages/persistence",
};

/** Trees that break a rule, by rule. */
export const importAndFileViolations: Readonly<Record<string, Tree>> = {
  "root-depends-on-no-member": {
    "package.json": JSON.stringify({ name: "fixture", devDependencies: { "@svc/redis": "workspace:*" } }),
  },
  ...Object.fromEntries(
    Object.entries(forbiddenImports).map(([member, other]) => [
      `${member.split("/")[1]}-imports`,
      importing(`${member}/src/main.ts`, `${other}/src/index.ts`),
    ]),
  ),
  "apps-declare-what-they-inline": {
    "apps/api/package.json": `{ "name": "@svc/api", "scripts": { "start": "node dist/main.js" },
      "dependencies": { "@svc/domain": "workspace:*" } }`,
    "apps/api/tsup.config.ts": "// The folder is built into one bundle.\n",
    "packages/domain/package.json": `{ "name": "@svc/domain", "dependencies": { "zod": "*" } }`,
  },
  "apps-never-import-apps": importing("apps/mcp/src/server.ts", "apps/api/src/routes.ts"),
  "bullmq-only-in-queue": {
    "apps/webhook-worker/src/relay.ts": `import { Queue } from "bullmq";\n\nexport const queue = new Queue("deliveries");\n`,
  },
  "domain-only-zod": {
    "packages/domain/src/read.ts": `import fs from "node:fs";\n\nexport const read = fs.readFileSync;\n`,
  },
  "domain-reads-no-clock": { "packages/domain/src/clock.ts": "export const now = () => new Date();\n" },
  "ioredis-only-in-redis": {
    "packages/queue/src/cache.ts": `import { Redis } from "ioredis";\n\nexport const cache = new Redis();\n`,
  },
  "line-limit": {
    "packages/domain/src/shipment.ts": Array.from({ length: 351 }, (_, n) => `export const fact${n} = ${n};\n`).join(
      "",
    ),
  },
  "local-stores-only-in-launcher-and-tests": importing(
    "packages/queue/src/connect.ts",
    "packages/local-stores/src/index.ts",
  ),
  "no-cycles": {
    "packages/domain/src/container.ts": `import type { Shipment } from "./shipment.ts";

export interface Container { readonly shipment: Shipment }\n`,
    "packages/domain/src/shipment.ts": `import type { Container } from "./container.ts";

export interface Shipment { readonly containers: readonly Container[] }\n`,
  },
  "no-development-dependency-in-sources": {
    "packages/queue/package.json": `{ "name": "@svc/queue", "devDependencies": { "jest": "*" } }`,
    "packages/queue/src/catalogue.ts": `import { run } from "jest";\n\nexport const catalogue = run;\n`,
  },
  "no-undeclared": {
    "packages/queue/package.json": `{ "name": "@svc/queue" }`,
    "packages/queue/src/catalogue.ts": `import { test } from "@jest/globals";\n\nexport const catalogue = test;\n`,
  },
  "no-undeclared-in-tests": {
    "packages/queue/package.json": `{ "name": "@svc/queue" }`,
    "packages/queue/src/catalogue.test.ts": `import { run } from "jest";\n\nexport const catalogue = run;\n`,
  },
  "no-unresolvable": {
    "packages/domain/src/shipment.ts": `import { port } from "./port.ts";\n\nexport const shipment = { port };\n`,
  },
  "no-vague-names": { "packages/domain/src/shipments/date-utils.ts": "export const day = 86_400_000;\n" },
  "packages-by-their-name": importing("packages/persistence/src/read.ts", "packages/domain/src/shipment.ts"),
  "pages-use-the-api": importing("apps/web/src/webhooks/webhook-page.ts", "packages/persistence/src/index.ts"),
  "permissions-are-used": {
    "packages/carriers/package.json": `{ "name": "@svc/carriers", "private": true }`,
    "packages/carriers/src/index.ts": "export const client = 1;\n",
    "packages/domain/package.json": `{ "name": "@svc/domain", "private": true }`,
    "packages/domain/src/index.ts": "export const rule = 1;\n",
  },
  "pg-only-in-persistence": {
    "apps/api/src/read.ts": `import pg from "pg";\n\nexport const pool = new pg.Pool();\n`,
  },
  "prisma-only-in-persistence": {
    "apps/api/src/read.ts": `import { PrismaClient } from "@prisma/client";\n\nexport const prisma = new PrismaClient();\n`,
  },
  "process-only-at-the-edge": {
    "packages/queue/src/connect.ts": `import process from "node:process";\n\nexport const url = process.env.REDIS_URL;\n`,
  },
  "redis-only-in-queue-and-rate-limit": {
    "apps/api/src/cache.ts": `import { Redis } from "ioredis";\n\nexport const cache = new Redis();\n`,
  },
  "sdk-needs-only-the-platform": {
    "packages/sdk/src/client.ts": `import { request } from "node:https";\n\nexport const send = request;\n`,
  },
  "testkit-only-in-tests": importing("packages/queue/src/connect.ts", "packages/testkit/src/index.ts", "eventually"),
  "tests-are-not-imported": importing("packages/domain/src/shipment.ts", "packages/domain/src/shipment.test.ts"),
  "wire-names-only-in-jsonapi": {
    "apps/api/src/shipment.ts": `export const shipment = (number: string, tags: string[], at: string) => ({
  bill_of_lading_number: number,
  ref_numbers: tags,
  created_at: at,
});\n`,
    "packages/jsonapi/src/shipment.ts": `export interface ShipmentAttributes {
  bill_of_lading_number: string;
  ref_numbers: string[];
  created_at: string;
}\n`,
  },
};

/** The same by rule of the linter: those that guard the invariants; the others are the linter's own business. */
export const lintViolations: Readonly<Record<string, Tree>> = {
  "no-floating-promises": {
    "packages/queue/src/send.ts": "export function send(job: () => Promise<void>): void {\n  job();\n}\n",
  },
  "no-restricted-globals": {
    "packages/domain/src/identity.ts": "export const identity = () => crypto.randomUUID();\n",
  },
  "no-restricted-properties": { "packages/domain/src/clock.ts": "export const now = () => Date.now();\n" },
};

export const compliantTree: Tree = {
  "apps/api/src/main.ts": `import { labels } from "./shipments/labels.ts";\n\nprocess.stdout.write(labels.on_ship);\n`,
  "apps/api/src/shipments/labels.ts": `export const labels = {
  on_ship: "On the ship",
  picked_up: "Picked up",
  empty_returned: "Returned",
};\n`,
  "packages/domain/src/index.ts": `export { shipment } from "./shipment.ts";\n`,
  "packages/domain/src/shipment.test.ts": `import { test } from "@jest/globals";
import { shipment } from "./shipment.ts";\n\ntest("is one", () => shipment);\n`,
  "packages/domain/src/shipment.ts": `export const shipment = { statuses: ["on_ship", "picked_up", "empty_returned"] };\n`,
  "packages/domain/src/testing/shipments.ts": `import fc from "fast-check";\n\nexport const anyShipment = fc.string();\n`,
  "packages/jsonapi/src/labels.ts": `export interface Labels {
  on_ship: string;
  picked_up: string;
  empty_returned: string;
}\n`,
};
