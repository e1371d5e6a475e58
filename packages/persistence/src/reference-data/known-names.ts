import type { Place, TerminalReference } from "@svc/domain/shipments";
import type { AccountSql, Statement } from "../sql.ts";

type NamedKind = Place["kind"] | TerminalReference["kind"] | "vessel" | "shipping_line";

interface NamedRow {
  /** The id; for a shipping line its SCAC. */
  readonly key: string;
  readonly kind: NamedKind;
  /** UN/LOCODE of a place, IMO number of a vessel, short name of a shipping line. */
  readonly code: string | null;
  readonly name: string;
  readonly timeZone: string | null;
}

/** Reads reference data. The account is a parameter because every tenant statement has one; it has no effect. */
const findNamed: Statement = {
  name: "reference-names.find",
  text: `
    SELECT id::text AS key, 'port' AS kind, locode AS code, name, time_zone AS "timeZone" FROM ports
      WHERE $1::uuid IS NOT NULL AND id = ANY($2::uuid[])
    UNION ALL SELECT id::text, 'metro_area', locode, name, time_zone FROM metro_areas WHERE id = ANY($2::uuid[])
    UNION ALL SELECT id::text, kind, NULL, name, NULL FROM terminals WHERE id = ANY($2::uuid[])
    UNION ALL SELECT id::text, 'vessel', imo, name, NULL FROM vessels WHERE id = ANY($2::uuid[])
    UNION ALL SELECT scac, 'shipping_line', short_name, name, NULL FROM shipping_lines WHERE scac = ANY($3::text[])`,
};

/** Maximum time for which a record may show an outdated name. */
const knownForMs = 60_000;

/** The requested names: ids of places, terminals and vessels, and SCACs; null where a record has none. */
export interface RequestedNames {
  readonly ids: readonly (string | null)[];
  readonly scac: string;
}

/** The cached names; null also for unknown ids. */
export interface Names {
  place(id: string | null): Place | null;
  terminal(id: string | null): TerminalReference | null;
  vessel(id: string | null): { readonly name: string; readonly imo: string | null } | null;
  line(scac: string): { readonly name: string; readonly shortName: string } | null;
}

/** Reads unknown and expired names in one statement; usually there are none. */
export interface KnownNames {
  of(sql: AccountSql, accountId: string, requested: readonly RequestedNames[]): Names | Promise<Names>;
}

/**
 * Caches the names of places, terminals, vessels and shipping lines that records show. Joining them to each record took
 * longer than the rest of its query; they are few and rarely change.
 */
export function createKnownNames(nowMs: () => number = () => performance.now()): KnownNames {
  const known = new Map<string, { readonly row: NamedRow | null; readonly readAtMs: number }>();
  let tidiedAtMs = nowMs();
  const rowOf = (key: string | null): NamedRow | null => (key === null ? null : (known.get(key)?.row ?? null));
  const names: Names = {
    place(id) {
      const row = rowOf(id);
      if (row === null || row.code === null || (row.kind !== "port" && row.kind !== "metro_area")) return null;
      return { id: row.key, kind: row.kind, locode: row.code, name: row.name, timeZone: row.timeZone };
    },
    terminal(id) {
      const row = rowOf(id);
      return row?.kind === "terminal" || row?.kind === "rail_terminal" ? { id: row.key, kind: row.kind } : null;
    },
    vessel(id) {
      const row = rowOf(id);
      return row?.kind === "vessel" ? { name: row.name, imo: row.code } : null;
    },
    line(scac) {
      const row = rowOf(scac);
      return row?.kind === "shipping_line" && row.code !== null ? { name: row.name, shortName: row.code } : null;
    },
  };
  /** A caller that has checked a name may still read it, so it stays for a while after its expiry. */
  const evictExpired = (now: number): void => {
    tidiedAtMs = now;
    for (const [key, { readAtMs }] of known) if (now - readAtMs > 2 * knownForMs) known.delete(key);
  };
  const learn = async (sql: AccountSql, accountId: string, ids: ReadonlySet<string>, scacs: ReadonlySet<string>) => {
    const readAtMs = nowMs();
    const rows = await sql.rows<NamedRow>(findNamed, [accountId, [...ids], [...scacs]]);
    for (const key of [...ids, ...scacs]) known.set(key, { row: null, readAtMs });
    for (const row of rows) known.set(row.key, { row, readAtMs });
    if (readAtMs - tidiedAtMs > knownForMs) evictExpired(readAtMs);
    return names;
  };
  return {
    of(sql, accountId, requested) {
      const oldest = nowMs() - knownForMs;
      const isKnown = (key: string): boolean => (known.get(key)?.readAtMs ?? Number.NEGATIVE_INFINITY) > oldest;
      const [ids, scacs] = [new Set<string>(), new Set<string>()];
      for (const { ids: recordIds, scac } of requested) {
        for (const id of recordIds) if (id !== null && !isKnown(id)) ids.add(id);
        if (!isKnown(scac)) scacs.add(scac);
      }
      return ids.size + scacs.size === 0 ? names : learn(sql, accountId, ids, scacs);
    },
  };
}
