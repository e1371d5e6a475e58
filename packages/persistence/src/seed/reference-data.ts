import metroAreas from "../../data/metro-areas.json" with { type: "json" };
import ports from "../../data/ports.json" with { type: "json" };
import shippingLines from "../../data/shipping-lines.json" with { type: "json" };
import terminals from "../../data/terminals.json" with { type: "json" };
import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import type { Statement } from "../sql.ts";

const upsertShippingLines: Statement = {
  name: "seed.upsert-shipping-lines",
  text: `
    INSERT INTO shipping_lines (id, scac, name, short_name, alternative_scacs, bill_of_lading_tracking_support,
      booking_number_tracking_support, container_number_tracking_support, bill_of_lading_patterns, container_prefixes,
      query_form)
    SELECT l.id, l.scac, l.name, l."shortName", l."alternativeScacs", l."billOfLadingTrackingSupport",
      l."bookingNumberTrackingSupport", l."containerNumberTrackingSupport", l."billOfLadingPatterns",
      l."containerPrefixes", l."queryForm"
    FROM jsonb_to_recordset($1::jsonb) AS l(id uuid, scac text, name text, "shortName" text, "alternativeScacs" text[],
      "billOfLadingTrackingSupport" bool, "bookingNumberTrackingSupport" bool, "containerNumberTrackingSupport" bool,
      "billOfLadingPatterns" text[], "containerPrefixes" text[], "queryForm" text)
    ON CONFLICT (scac) DO UPDATE SET name = excluded.name, short_name = excluded.short_name,
      alternative_scacs = excluded.alternative_scacs,
      bill_of_lading_tracking_support = excluded.bill_of_lading_tracking_support,
      booking_number_tracking_support = excluded.booking_number_tracking_support,
      container_number_tracking_support = excluded.container_number_tracking_support,
      bill_of_lading_patterns = excluded.bill_of_lading_patterns, container_prefixes = excluded.container_prefixes,
      query_form = excluded.query_form`,
};

/** Turns a port stub of a carrier's reply into a verified port. */
const upsertPorts: Statement = {
  name: "seed.upsert-ports",
  text: `
    INSERT INTO ports (id, locode, name, city, state_abbr, country_code, latitude, longitude, time_zone, source)
    SELECT p.id, p.locode, p.name, p.city, p."stateAbbr", p."countryCode", p.latitude, p.longitude, p."timeZone", 'core'
    FROM jsonb_to_recordset($1::jsonb) AS p(id uuid, locode text, name text, city text, "stateAbbr" text,
      "countryCode" text, latitude float8, longitude float8, "timeZone" text)
    ON CONFLICT (locode) DO UPDATE SET name = excluded.name, city = excluded.city, state_abbr = excluded.state_abbr,
      country_code = excluded.country_code,
      latitude = excluded.latitude, longitude = excluded.longitude, time_zone = excluded.time_zone, source = 'core'`,
};

const insertPortAliases: Statement = {
  name: "seed.insert-port-aliases",
  text: `
    INSERT INTO port_aliases (locode, port_id)
    SELECT alias, ports.id
    FROM jsonb_to_recordset($1::jsonb) AS p(locode text, aliases text[])
    CROSS JOIN LATERAL unnest(p.aliases) AS alias
    JOIN ports ON ports.locode = p.locode
    ON CONFLICT (locode) DO UPDATE SET port_id = excluded.port_id`,
};

const upsertMetroAreas: Statement = {
  name: "seed.upsert-metro-areas",
  text: `
    INSERT INTO metro_areas (id, locode, name, country_code, state_abbr, latitude, longitude, time_zone, source)
    SELECT m.id, m.locode, m.name, m."countryCode", m."stateAbbr", m.latitude, m.longitude, m."timeZone", 'core'
    FROM jsonb_to_recordset($1::jsonb) AS m(id uuid, locode text, name text, "countryCode" text, "stateAbbr" text,
      latitude float8, longitude float8, "timeZone" text)
    ON CONFLICT (locode) DO UPDATE SET name = excluded.name, country_code = excluded.country_code,
      state_abbr = excluded.state_abbr, latitude = excluded.latitude, longitude = excluded.longitude,
      time_zone = excluded.time_zone, source = 'core'`,
};

/**
 * Turns a terminal stub of a carrier's reply into a verified terminal. In the order in which workers create stubs, so
 * that both wait for each other and do not deadlock.
 */
const upsertTerminals: Statement = {
  name: "seed.upsert-terminals",
  text: `
    INSERT INTO terminals (id, port_id, kind, name, nickname, firms_code, smdg_code, street, city, state, state_abbr,
      zip, country, source)
    SELECT t.id, ports.id, 'terminal', t.name, t.nickname, t."firmsCode", t."smdgCode", t.street, t.city, t.state,
      t."stateAbbr", t.zip, t.country, 'core'
    FROM jsonb_to_recordset($1::jsonb) AS t(id uuid, locode text, name text, nickname text, "firmsCode" text,
      "smdgCode" text, street text, city text, state text, "stateAbbr" text, zip text, country text)
    JOIN ports ON ports.locode = t.locode
    ORDER BY ports.id, t."smdgCode"
    ON CONFLICT (port_id, smdg_code) DO UPDATE SET kind = excluded.kind, name = excluded.name,
      nickname = excluded.nickname, firms_code = excluded.firms_code, street = excluded.street, city = excluded.city,
      state = excluded.state, state_abbr = excluded.state_abbr, zip = excluded.zip, country = excluded.country,
      source = 'core'`,
};

const withIds = (rows: readonly object[]): string => JSON.stringify(rows.map((row) => ({ id: uuidV7.next(), ...row })));

/**
 * Writes shipping lines, the core ports with their aliases and terminals, and inland places with rail service. Safe to
 * run at every start: existing rows keep their ids and get the values of this version.
 */
export async function seedReferenceData(database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.execute(upsertShippingLines, [withIds(shippingLines)]);
    await sql.execute(upsertPorts, [withIds(ports)]);
    await sql.execute(insertPortAliases, [JSON.stringify(ports)]);
    await sql.execute(upsertTerminals, [withIds(terminals)]);
    await sql.execute(upsertMetroAreas, [withIds(metroAreas)]);
  });
}
