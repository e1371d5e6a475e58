import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import { connectionParts, dropDatabase, onServer } from "./databases.mjs";
import { log } from "./log.mjs";

/** PostgreSQL's types "char" (in the catalogue's own tables) and text. */
const charType = 18;
const textType = 25;

/**
 * The engine reads columns of type "char", which the adapter refuses: they travel as text and are renamed on arrival.
 */
function acceptCharColumns(connection, pool) {
  const runQuery = pool.query.bind(pool);
  const charColumns = new WeakMap();
  pool.query = async (...args) => {
    const result = await runQuery(...args);
    const indexes = (result.fields ?? []).flatMap((field, index) => (field.dataTypeID === charType ? [index] : []));
    for (const index of indexes) result.fields[index].dataTypeID = textType;
    if (indexes.length > 0) charColumns.set(result.rows, indexes);
    return result;
  };
  const queryRaw = connection.queryRaw.bind(connection);
  connection.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const index of charColumns.get(result.rows) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
}

/** The adapter splits a script at every ";", which breaks the bodies of functions: scripts are sent whole. */
function sendScriptsWhole(connection, pool) {
  const runQuery = pool.query.bind(pool);
  connection.executeScript = async (script) => {
    try {
      await runQuery(script);
    } catch (error) {
      connection.onError(error);
    }
  };
}

function adapt(connection) {
  const pool = connection.underlyingDriver();
  sendScriptsWhole(connection, pool);
  acceptCharColumns(connection, pool);
  return connection;
}

/** Connects the engine to the database itself, and to a shadow database to replay migrations in. */
export class SchemaEngineAdapterFactory extends PrismaPg {
  #url;
  #shadowUrl;
  #shadows = [];

  constructor(url, shadowUrl) {
    super({ ...connectionParts(url), max: 2 });
    this.#url = url;
    this.#shadowUrl = shadowUrl;
  }

  async connect() {
    return adapt(await super.connect());
  }

  async connectToShadowDb() {
    if (this.#shadowUrl) return adapt(await new PrismaPg({ ...connectionParts(this.#shadowUrl), max: 1 }).connect());
    const name = `prisma_shadow_${process.pid}_${Date.now()}`;
    await onServer(this.#url, (client) => client.query(`CREATE DATABASE ${name}`));
    const shadowUrl = Object.assign(new URL(this.#url), { pathname: `/${name}` }).href;
    const connection = adapt(await new PrismaPg({ ...connectionParts(shadowUrl), max: 2 }).connect());
    this.#shadows.push({ connection, shadowUrl });
    return connection;
  }

  /** Drops shadow databases before each response, because the command line then ends the engine at once. */
  async dropShadowDatabases() {
    for (const { connection, shadowUrl } of this.#shadows.splice(0)) {
      try {
        await connection.dispose();
        await dropDatabase(shadowUrl);
      } catch (error) {
        log("WARN", `The shadow database stays: ${error.message}`);
      }
    }
  }
}
