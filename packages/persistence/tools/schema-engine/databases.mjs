import pg from "pg";

/**
 * The parts of a connection string. The adapter gets them apart, because it opens the shadow database with its own
 * settings and another name, and a whole connection string would override that name.
 */
export function connectionParts(url) {
  const parsed = new URL(url);
  return {
    host: decodeURIComponent(parsed.hostname),
    port: Number(parsed.port || 5432),
    user: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)),
  };
}

async function withClient(config, work) {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs the work on the server of the connection string, in the database that every server has. */
export function onServer(url, work) {
  return withClient({ ...connectionParts(url), database: "postgres" }, work);
}

export function canConnect(url) {
  return withClient(connectionParts(url), () => undefined);
}

export async function databaseExists(url) {
  const { database } = connectionParts(url);
  const found = await onServer(url, (client) =>
    client.query("SELECT 1 FROM pg_database WHERE datname = $1", [database]),
  );
  return found.rowCount > 0;
}

export async function createDatabase(url) {
  const { database } = connectionParts(url);
  if (!(await databaseExists(url))) {
    await onServer(url, (client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`));
  }
  return { databaseName: database };
}

export function dropDatabase(url) {
  const name = pg.escapeIdentifier(connectionParts(url).database);
  return onServer(url, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}
