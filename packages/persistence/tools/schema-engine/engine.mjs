import fs from "node:fs";
import { createRequire } from "node:module";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { SchemaEngineAdapterFactory } from "./adapter.mjs";
import { databaseExists } from "./databases.mjs";
import { log } from "./log.mjs";

/** The engine wants at least one schema file, also for the commands that read none. */
const emptySchema = { path: "schema.prisma", content: 'datasource db {\n  provider = "postgresql"\n}\n' };

/** Loads the WebAssembly by hand: the package is made for bundlers, which Node's loader is not. */
async function loadWebAssembly() {
  // The engine reports a crash here before it stops.
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => log("ERROR", message) };
  const require = createRequire(import.meta.url);
  const entry = require.resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const bindings = await import(entry);
  const module = await WebAssembly.compile(fs.readFileSync(entry.replace(/\.js$/, ".wasm")));
  const imports = Object.fromEntries(WebAssembly.Module.imports(module).map((wanted) => [wanted.module, bindings]));
  const instance = await WebAssembly.instantiate(module, imports);
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings.SchemaEngine;
}

/** @returns the engine, connected, and what to call before each of its answers is sent. */
export async function loadEngine({ url, shadowUrl, schemaFiles }) {
  const SchemaEngine = await loadWebAssembly();
  // It connects when it starts, also for commands that then create the database.
  const reachable = (await databaseExists(url)) ? url : Object.assign(new URL(url), { pathname: "/postgres" }).href;
  const factory = new SchemaEngineAdapterFactory(reachable, shadowUrl);
  const files = schemaFiles.length > 0 ? schemaFiles : [emptySchema];
  const engine = await SchemaEngine.new(
    { datamodels: files.map(({ path, content }) => [path, content]) },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory),
  );
  return { engine, beforeAnswer: () => factory.dropShadowDatabases() };
}
