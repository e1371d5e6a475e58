import pg from "pg";
import { tenantRole } from "../tenancy/account-connections.ts";

/** Part of a connection that these functions use. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

interface Rights {
  readonly user: string;
  readonly database: string;
  readonly hasRole: boolean;
  readonly createsRoles: boolean;
  readonly createsTables: boolean;
  readonly createsExtensions: boolean;
  readonly hasExtension: boolean;
  readonly hasExtensionFiles: boolean;
}

const extension = "btree_gin";

const findRights = `
  SELECT current_user AS "user", current_database() AS "database",
         EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS "hasRole",
         r.rolsuper OR r.rolcreaterole AS "createsRoles",
         has_schema_privilege('public', 'CREATE') AS "createsTables",
         has_database_privilege(current_database(), 'CREATE') AS "createsExtensions",
         EXISTS (SELECT FROM pg_extension WHERE extname = $2) AS "hasExtension",
         EXISTS (SELECT FROM pg_available_extensions WHERE name = $2) AS "hasExtensionFiles"
    FROM pg_roles r WHERE r.rolname = current_user`;

const rightsOnRole = `
  SELECT pg_has_role(current_user, $1, 'SET') AS "actsAsRole",
         pg_has_role(current_user, $1, 'MEMBER WITH ADMIN OPTION') AS "grantsRole"`;

/**
 * The statements that an administrator must run on the server, because the user of the connection may not do what the
 * migrations do. Empty when nothing is missing. Changes nothing.
 */
export async function findMissingRights(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<Rights>(findRights, [tenantRole, extension]);
  const [rights] = rows;
  if (!rights) return [];
  const user = pg.escapeIdentifier(rights.user);
  const missing: string[] = [];
  if (!rights.hasRole && !rights.createsRoles) missing.push(`CREATE ROLE ${tenantRole} NOLOGIN`);
  const grantsRole = rights.hasRole
    ? await client.query<{ actsAsRole: boolean; grantsRole: boolean }>(rightsOnRole, [tenantRole])
    : undefined;
  const { actsAsRole = false, grantsRole: mayGrant = rights.createsRoles } = grantsRole?.rows[0] ?? {};
  if (!actsAsRole && !mayGrant) missing.push(`GRANT ${tenantRole} TO ${user} WITH INHERIT FALSE, SET TRUE`);
  if (!rights.createsTables) missing.push(`GRANT CREATE, USAGE ON SCHEMA public TO ${user}`);
  if (!rights.hasExtension && !rights.createsExtensions) {
    missing.push(`GRANT CREATE ON DATABASE ${pg.escapeIdentifier(rights.database)} TO ${user}`);
  }
  if (!rights.hasExtension && !rights.hasExtensionFiles) {
    missing.push(`-- Install PostgreSQL's extension ${extension} on the server (package postgresql-contrib)`);
  }
  return missing;
}

/** Throws with the statements to run when the user of the connection may not do what the migrations do. */
export async function requireRights(client: Queryable): Promise<void> {
  const missing = await findMissingRights(client);
  if (missing.length === 0) return;
  const statements = missing.map((statement) => `  ${statement};`).join("\n");
  throw new Error(
    `The user of DATABASE_URL lacks rights that the migrations need. As an administrator, run in this database:\n${statements}`,
  );
}
