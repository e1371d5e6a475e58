import type { Sql, Statement } from "../sql.ts";

const hold: Statement = {
  name: "ais-sources.hold",
  text: `
    INSERT INTO ais_sources AS s (name, holder, lease_until)
    SELECT name, $2, now() + $3 * interval '1 millisecond' FROM unnest($1::text[]) AS name ORDER BY name
    ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, lease_until = EXCLUDED.lease_until
      WHERE s.holder = EXCLUDED.holder OR s.lease_until < now()
    RETURNING name`,
};

/** Extends the leases of a worker and takes those that no worker holds. Returns the names of its sources. */
export async function holdAisSources(
  sql: Sql,
  { names, holder, leaseMs }: { readonly names: readonly string[]; readonly holder: string; readonly leaseMs: number },
): Promise<readonly string[]> {
  const rows = await sql.rows<{ name: string }>(hold, [names, holder, leaseMs]);
  return rows.map(({ name }) => name);
}

const release: Statement = { name: "ais-sources.release", text: "DELETE FROM ais_sources WHERE holder = $1" };

/** Ends the leases of a worker, so that another one can take them at once. */
export async function releaseAisSources(sql: Sql, holder: string): Promise<void> {
  await sql.execute(release, [holder]);
}
