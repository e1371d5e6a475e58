#!/usr/bin/env node
// Drop-in for Prisma's native schema engine: same argv + line-delimited JSON-RPC on stdio, backed by the WASM build.
import fs from "node:fs";
import { createRequire } from "node:module";
import readline from "node:readline";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";

const argv = process.argv.slice(2);
const opts = { datamodels: [], datasource: null, cli: null };
for (let i = 0; i < argv.length; i++) {
  const a = argv[i];
  if (a === "--datamodels") opts.datamodels.push(argv[++i]);
  else if (a === "--datasource") opts.datasource = JSON.parse(argv[++i]);
  else if (a === "--enabled-preview-features" || a === "--extension-types") i++;
  else if (a === "--version" || a === "-V") {
    console.log("schema-engine-cli wasm");
    process.exit(0);
  } else if (a === "cli") opts.cli = argv[++i];
}
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message(m) {
    log("ERROR", m);
  },
};
let url = opts.datasource?.url ?? process.env.DATABASE_URL;
const parts = (u) => {
  const x = new URL(u);
  return {
    host: decodeURIComponent(x.hostname),
    port: Number(x.port || 5432),
    user: decodeURIComponent(x.username),
    password: decodeURIComponent(x.password),
    database: decodeURIComponent(x.pathname.slice(1)),
  };
};
const log = (level, message, extra = {}) =>
  process.stderr.write(
    JSON.stringify({
      level,
      target: "schema_engine::logger",
      timestamp: new Date().toISOString(),
      fields: { message, ...extra },
    }) + "\n",
  );

async function withAdmin(fn) {
  const c = new pg.Client({ ...parts(url), database: "postgres" });
  await c.connect();
  try {
    return await fn(c);
  } finally {
    await c.end();
  }
}
async function createDatabase(u) {
  const db = parts(u).database;
  await withAdmin(async (c) => {
    const r = await c.query("select 1 from pg_database where datname=$1", [db]);
    if (!r.rowCount) await c.query(`CREATE DATABASE ${pg.escapeIdentifier(db)}`);
  });
  return { databaseName: db };
}
const exists = () =>
  withAdmin(
    async (c) => (await c.query("select 1 from pg_database where datname=$1", [parts(url).database])).rowCount > 0,
  );
if (opts.cli) {
  try {
    if (opts.cli === "can-connect-to-database") {
      const c = new pg.Client(parts(url));
      await c.connect();
      await c.end();
    } else if (opts.cli === "create-database") await createDatabase(url);
    else if (opts.cli === "drop-database")
      await withAdmin((c) =>
        c.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(parts(url).database)} WITH (FORCE)`),
      );
    process.exit(0);
  } catch (e) {
    const code = e.code === "3D000" ? "P1003" : e.code === "28P01" ? "P1000" : "P1001";
    process.stderr.write("\n");
    log("ERROR", e.message, { error_code: code });
    process.exit(1);
  }
}
// The stock adapter rejects columns of type "char" (the catalogue's) and splits scripts on every ";" (breaking $$ bodies).
function patch(conn) {
  const pool = conn.underlyingDriver();
  const query = pool.query.bind(pool);
  const charColumns = new WeakMap(); // rows -> indices of "char" columns
  pool.query = async (...args) => {
    const res = await query(...args);
    const idx = [];
    res.fields?.forEach((f, i) => {
      if (f.dataTypeID === 18) {
        f.dataTypeID = 25;
        idx.push(i);
      }
    });
    if (idx.length) charColumns.set(res.rows, idx);
    return res;
  };
  const queryRaw = conn.queryRaw.bind(conn);
  conn.queryRaw = async (q) => {
    const r = await queryRaw(q);
    for (const i of charColumns.get(r.rows) ?? []) r.columnTypes[i] = ColumnTypeEnum.Character;
    return r;
  };
  conn.executeScript = async (script) => {
    try {
      await query(script);
    } catch (e) {
      conn.onError(e);
    }
  };
  return conn;
}
const shadows = [];
class Factory extends PrismaPg {
  constructor(cfg) {
    super(cfg);
    this.cfg = cfg;
  }
  async connect() {
    return patch(await super.connect());
  }
  async connectToShadowDb() {
    const given = opts.datasource?.shadowDatabaseUrl;
    if (given) {
      const p = parts(given);
      return patch(await new PrismaPg({ ...p, max: 1 }).connect());
    }
    const database = `prisma_shadow_${process.pid}_${Date.now()}`;
    await withAdmin((c) => c.query(`CREATE DATABASE "${database}"`));
    const conn = patch(await new PrismaPg({ ...this.cfg, database }).connect());
    shadows.push(async () => {
      await conn.dispose().catch(() => {});
      await withAdmin((c) => c.query(`DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`));
    });
    return conn;
  }
}
async function engine(files) {
  const require = createRequire(import.meta.url);
  const entry = require.resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const bg = await import(entry);
  const mod = await WebAssembly.compile(fs.readFileSync(entry.replace(/\.js$/, ".wasm")));
  const imports = {};
  for (const i of WebAssembly.Module.imports(mod)) imports[i.module] ??= bg;
  const inst = await WebAssembly.instantiate(mod, imports);
  bg.__wbg_set_wasm(inst.exports);
  inst.exports.__wbindgen_start();
  if (!(await exists())) url = Object.assign(new URL(url), { pathname: "/postgres" }).href;
  const datamodels =
    files?.map((f) => [f.path, f.content]) ?? opts.datamodels.map((f) => [f, fs.readFileSync(f, "utf8")]);
  if (!datamodels.length) datamodels.push(["schema.prisma", 'datasource db {\n  provider = "postgresql"\n}\n']);
  return bg.SchemaEngine.new(
    { datamodels },
    () => {},
    bindMigrationAwareSqlAdapterFactory(new Factory({ ...parts(url), max: 2 })),
  );
}
const dropShadows = async () => {
  while (shadows.length)
    await shadows
      .pop()()
      .catch((e) => log("WARN", String(e)));
};
let eng;
const getEngine = (files) => (eng ??= engine(files));
let nextPrint = 1;
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...m }) + "\n");
const rl = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
let chain = Promise.resolve();
rl.on("line", (line) => {
  if (!line.trim()) return;
  const req = JSON.parse(line);
  if (!req.method) return; // reply to a print
  chain = chain.then(async () => {
    try {
      let result;
      if (req.method === "createDatabase") result = await createDatabase(req.params?.datasource?.url ?? url);
      else {
        const e = await getEngine(req.params?.to?.files ?? req.params?.from?.files ?? req.params?.schema?.files);
        const fn = req.method === "getDatabaseVersion" ? "version" : req.method;
        if (process.env.SE_DEBUG) log("INFO", req.method + " " + JSON.stringify(req.params).slice(0, 300));
        result = await e[fn](req.params ?? {});
        if (req.method === "diff" && result?.stdout != null) {
          send({ id: nextPrint++, method: "print", params: { content: result.stdout } });
        }
      }
      await dropShadows();
      send({ id: req.id, result: result ?? null });
    } catch (e) {
      await dropShadows();
      const err = e?.error_code ? e : { message: e?.message ?? String(e), error_code: e?.code };
      send({
        id: req.id,
        error: {
          code: 4466,
          message: "An error happened. Check the data field for details.",
          data: { is_panic: false, message: err.message, error_code: err.error_code, meta: e?.meta },
        },
      });
    }
  });
});
rl.on("close", () => chain.finally(() => process.exit(0)));
