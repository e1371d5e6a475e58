/**
 * ARCHITECTURE.md, "Who may import whom" and the invariants, as rules. A tree that breaks each
 * rule is in tests/architecture/rule-breakers.ts.
 */
const domain = "packages/domain";
const jsonapi = "packages/jsonapi";
const persistence = "packages/persistence";
const archive = "packages/archive";
const queue = "packages/queue";
const redis = "packages/redis";
const carriers = "packages/carriers";
const edi = "packages/edi";
const replay = "packages/replay";
const sdk = "packages/sdk";
const egress = "packages/egress";
const views = "packages/views";
const serviceKit = "packages/service-kit";
const localStores = "packages/local-stores";
const testkit = "packages/testkit";
const web = "apps/web";

/** What each member may import besides itself. Tests may also import the testkit and the local stores. */
const mayImport = {
  [domain]: [],
  [jsonapi]: [domain],
  [persistence]: [domain],
  [archive]: [domain, persistence],
  [queue]: [redis],
  [redis]: [],
  [carriers]: [domain],
  [edi]: [domain],
  [replay]: [domain, persistence, carriers],
  [sdk]: [domain, jsonapi],
  [egress]: [],
  [views]: [domain, jsonapi],
  [serviceKit]: [],
  [localStores]: [],
  [testkit]: [localStores],
  "apps/api": [domain, jsonapi, persistence, egress, serviceKit, carriers, edi, redis],
  "apps/webhook-worker": [domain, jsonapi, persistence, queue, egress, serviceKit],
  "apps/tracking-worker": [domain, jsonapi, persistence, archive, serviceKit, carriers, edi, replay],
  "apps/web": [domain, jsonapi, persistence, egress, sdk, views, serviceKit],
  "apps/deeplink": [domain, jsonapi, persistence, egress, serviceKit, web],
  "apps/mcp": [sdk, jsonapi, domain, views, serviceKit],
  "apps/cli": [sdk, domain],
  "apps/admin": [domain, persistence, archive, queue, carriers, replay, serviceKit],
  "apps/carrier-sandbox": [domain, carriers, serviceKit],
  "apps/standalone": [persistence, carriers, localStores, redis],
};

/**
 * Files of apps/web that read PostgreSQL themselves (docs/adr/0015-server-rendered-pages-through-the-api.md). All other
 * pages use the API, as any client.
 */
const webReadsDatabase = [
  // Sessions, members, passwords, tokens and connected applications: a token must not create tokens.
  "access/",
  "account/",
  "two-factor/",
  "single-sign-on/",
  "tokens/",
  "oauth/",
  "mcp/",
  // The inbox is an endpoint of the web application, whose senders have no credential.
  "inbox/",
  // The public page of a share link, whose readers have no credential.
  "share-links/shared-page(-handlers)?\\.ts$",
  // Calendar feeds: their readers have no credential, and a token must not create their addresses.
  "calendar-feeds/",
  // Events of open pages: versions of the records of several accounts, without their values.
  "live-changes/(change-feed|routes)\\.ts$",
  // The filter of the audit log offers the members and tokens.
  "audit-events/routes\\.ts$",
  // Secrets of tokens and calendar feeds, for a form that is submitted twice.
  "forms/secret-replays\\.ts$",
  // The public status page reads no data of accounts.
  "status/",
  // How a member reads dates, kept with the membership.
  "display/routes\\.ts$",
  // The link in mails works without a sign-in.
  "alerts/mail-link-handlers\\.ts$",
  // The connection: given to the above, checked, and its failures recognized.
  "(services|web-options|http/send-failure)\\.ts$",
].map((path) => `^${web}/src/${path}`);

/** Tests, and what only they use: a folder `testing` beside the code. */
const test = String.raw`(\.test\.ts$|/testing/)`;
const anyOf = (paths) => `^(${paths.join("|")})/`;
/** Tests of pages serve the API in their own process: starting one as a process takes most of a second. */
const apiInTests = String.raw`^apps/api/src/testing/serve-test-api\.ts$`;
/** A registry package, whether or not it is installed: trees of tests install nothing. */
const packageNamed = (name) => `(^|node_modules/)${name}(/|$)`;

const layerRules = Object.entries(mayImport).map(([member, allowed]) => ({
  name: `${member.split("/")[1]}-imports`,
  comment: `${member} may import ${allowed.length > 0 ? allowed.join(", ") : "nothing of ours"}.`,
  severity: "error",
  from: { path: anyOf([member]) },
  to: { path: "^(packages|apps)/", pathNot: [anyOf([member, testkit, localStores, ...allowed]), apiInTests] },
}));

module.exports = {
  mayImport,
  webReadsDatabase: { files: webReadsDatabase, from: web, to: persistence },
  forbidden: [
    ...layerRules,
    {
      name: "domain-only-zod",
      comment: "The domain does no I/O: of the world outside it knows zod only, and nothing of Node.",
      severity: "error",
      from: { path: anyOf([domain]), pathNot: [test, String.raw`\.config\.ts$`] },
      to: { pathNot: [anyOf(["packages"]), packageNamed("zod")] },
    },
    {
      name: "apps-never-import-apps",
      comment: "Services are deployed on their own; what two of them need is a package. apps/deeplink serves apps/web.",
      severity: "error",
      from: { path: "^apps/([^/]+)/" },
      to: {
        path: "^apps/",
        pathNot: ["^apps/$1/", "^apps/web/src/(index|testing/index|single-sign-on/provider-config)\\.ts$", apiInTests],
      },
    },
    {
      name: "pages-use-the-api",
      comment: "Pages read and write through packages/sdk. Only the files of `webReadsDatabase` use persistence.",
      severity: "error",
      from: { path: `^${web}/src/`, pathNot: [test, ...webReadsDatabase] },
      to: { path: anyOf([persistence]) },
    },
    {
      name: "packages-by-their-name",
      comment:
        "Import a package by the names in its manifest's exports, not by a path into it; the rest is its own affair.",
      severity: "error",
      from: { path: "^([^/]+/[^/]+)/" },
      to: { path: "^packages/", pathNot: "^$1/", dependencyTypes: ["local"] },
    },
    {
      name: "prisma-only-in-persistence",
      comment: "Only persistence knows Prisma.",
      severity: "error",
      from: { path: "^(packages|apps)/", pathNot: anyOf([persistence]) },
      to: { path: packageNamed("(@prisma/[^/]+|prisma)") },
    },
    {
      name: "pg-only-in-persistence",
      comment: "Only persistence speaks SQL; the testkit makes its databases.",
      severity: "error",
      from: { path: "^(packages|apps)/", pathNot: [anyOf([persistence, testkit]), test] },
      to: { path: packageNamed("pg") },
    },
    {
      name: "bullmq-only-in-queue",
      comment: "Only queue knows BullMQ.",
      severity: "error",
      from: { path: "^(packages|apps)/", pathNot: anyOf([queue]) },
      to: { path: packageNamed("bullmq") },
    },
    {
      name: "redis-only-in-queue-and-rate-limit",
      comment:
        "Redis carries jobs and shared rate limits, nothing else; the API's main.ts makes the connection for the latter.",
      severity: "error",
      from: {
        path: "^(packages|apps)/",
        pathNot: [
          anyOf([redis, queue, testkit, "apps/api/src/rate-limits", "apps/standalone"]),
          "^apps/api/src/(main|config)\\.ts$",
          test,
        ],
      },
      to: { path: [packageNamed("ioredis"), anyOf([redis])], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "ioredis-only-in-redis",
      comment: "Only packages/redis opens connections to Redis, so that every process understands the same addresses.",
      severity: "error",
      from: { path: "^(packages|apps)/", pathNot: [anyOf([redis, testkit]), test] },
      to: { path: packageNamed("ioredis"), dependencyTypesNot: ["type-only"] },
    },
    {
      name: "sdk-needs-only-the-platform",
      comment: "The client runs wherever fetch and Web Crypto exist: no registry package, nothing of Node.",
      severity: "error",
      from: { path: anyOf([`${sdk}/src`]), pathNot: test },
      to: { pathNot: anyOf(["packages"]) },
    },
    {
      name: "process-only-at-the-edge",
      comment: "ARCHITECTURE.md, invariant 3, lists what touches the process.",
      severity: "error",
      from: {
        path: "^(packages|apps)/",
        pathNot: [test, anyOf([testkit, localStores, "apps/standalone"]), "^apps/[^/]+/src/(main|stdio)\\.ts$"],
      },
      to: { path: "^(node:)?process$", dependencyTypes: ["core"] },
    },
    {
      name: "testkit-only-in-tests",
      comment: "The testkit is for tests.",
      severity: "error",
      from: { path: "^(packages|apps)/", pathNot: [test, anyOf([testkit])] },
      to: { path: anyOf([testkit]) },
    },
    {
      name: "local-stores-only-in-launcher-and-tests",
      comment: "Services are given the addresses of their stores; the launcher and tests start stores.",
      severity: "error",
      from: { path: "^(packages|apps)/", pathNot: [test, anyOf([localStores, testkit, "apps/standalone"])] },
      to: { path: anyOf([localStores]) },
    },
    {
      name: "tests-are-not-imported",
      comment: "Nothing that runs in production depends on a test.",
      severity: "error",
      from: { path: "^((packages|apps)/[^/]+/src|scripts|examples)/", pathNot: test },
      to: { path: [test, "^tests/"] },
    },
    {
      name: "no-cycles",
      comment: "Two files that need each other are one file, or hide a third.",
      severity: "error",
      from: { pathNot: "/generated/" },
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      comment: "The imported module does not exist, or the manifest does not declare it.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-undeclared",
      comment: "The package's own manifest must declare what its files import.",
      severity: "error",
      from: { pathNot: [test, "^tests/"] },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "no-undeclared-in-tests",
      comment: "Tests may use the root's test tools; anything else their own manifest must declare.",
      severity: "error",
      from: { path: [test, "^tests/"] },
      to: {
        dependencyTypes: ["npm-no-pkg", "npm-unknown"],
        pathNot: [packageNamed("@jest/globals"), packageNamed("fast-check")],
      },
    },
    {
      name: "no-development-dependency-in-sources",
      comment: "What runs in production must be a dependency, not a devDependency.",
      severity: "error",
      from: { path: "^(packages|apps)/[^/]+/src/", pathNot: test },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "/generated/"] },
    exclude: { path: ["(^|/)(dist|coverage|\\.turbo)/"] },
    moduleSystems: ["es6"],
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".mjs", ".js", ".cjs", ".json"],
      mainFields: ["module", "main", "types"],
    },
  },
};
