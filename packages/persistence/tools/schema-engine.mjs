#!/usr/bin/env node
/*
 * Stands in for Prisma's native schema engine, so that `prisma migrate` works where nothing may be downloaded.
 *
 * The Prisma command line downloads that engine as a binary when it first needs it. The same engine also exists as
 * WebAssembly on the package registry (@prisma/schema-engine-wasm); this program gives it the command line and the
 * line-by-line JSON-RPC of the binary. Point PRISMA_SCHEMA_ENGINE_BINARY at this file to use it.
 *
 * Command line:  --datamodels <file> (repeatable), --datasource <json>, --version,
 *                cli can-connect-to-database | create-database | drop-database
 * Otherwise:     requests on stdin, answers on stdout, log lines as JSON on stderr, until stdin ends.
 */
import fs from "node:fs";
import { parseArgs } from "node:util";
import { canConnect, createDatabase, dropDatabase } from "./schema-engine/databases.mjs";
import { loadEngine } from "./schema-engine/engine.mjs";
import { log } from "./schema-engine/log.mjs";
import { serveRequests } from "./schema-engine/requests.mjs";

const { values, positionals } = parseArgs({
  options: {
    datamodels: { type: "string", multiple: true, default: [] },
    datasource: { type: "string" },
    version: { type: "boolean", short: "V", default: false },
    "enabled-preview-features": { type: "string" },
    "extension-types": { type: "string" },
  },
  allowPositionals: true,
});

const datasource = values.datasource ? JSON.parse(values.datasource) : {};
const url = datasource.url ?? process.env.DATABASE_URL;

const commands = {
  "can-connect-to-database": canConnect,
  "create-database": createDatabase,
  "drop-database": dropDatabase,
};

/** The error codes by which the Prisma command line recognises a failed connection. */
function connectionErrorCode(error) {
  if (error.code === "3D000") return "P1003";
  if (error.code === "28P01") return "P1000";
  return "P1001";
}

async function runCommand(name) {
  try {
    await commands[name](url);
  } catch (error) {
    process.stderr.write("\n");
    log("ERROR", error.message, { error_code: connectionErrorCode(error) });
    process.exitCode = 1;
  }
}

if (values.version) {
  process.stdout.write("schema-engine-cli wasm\n");
} else if (positionals[0] === "cli") {
  await runCommand(positionals[1]);
} else {
  const given = values.datamodels.map((file) => ({ path: file, content: fs.readFileSync(file, "utf8") }));
  await serveRequests({
    createDatabase: (target) => createDatabase(target ?? url),
    loadEngine: (schemaFiles) =>
      loadEngine({ url, shadowUrl: datasource.shadowDatabaseUrl, schemaFiles: schemaFiles ?? given }),
  });
}
