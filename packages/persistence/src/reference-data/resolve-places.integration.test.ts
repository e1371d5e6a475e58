import { beforeAll, describe, expect, test } from "@jest/globals";
import type { ObservedPlace } from "@svc/domain/observations";
import { started } from "@svc/testkit/started";
import { seedReferenceData } from "../seed/reference-data.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { loadPlaceDirectory } from "./place-directory.ts";
import { createReferenceDataRepository } from "./reference-data-repository.ts";
import { resolvePlaces } from "./resolve-places.ts";

const database = started(openTestDatabase);

beforeAll(async () => {
  await seedReferenceData(database);
});

const place = (locode: string | null, rest: Partial<ObservedPlace> = {}): ObservedPlace => ({
  locode,
  name: null,
  facilityCode: null,
  facilityCodeProvider: null,
  facilityType: null,
  ...rest,
});
const port = (observed: ObservedPlace) => ({ place: observed, kind: "port" as const });

describe("places of a carrier's reply", () => {
  test("resolves an alias to its port, and a place without a code to no row", async () => {
    const alias = port(place("CNSGH"));
    const named = port(place(null, { name: "Somewhere" }));
    const resolved = await resolvePlaces(database.sql, [alias, named], []);
    expect(resolved.place(alias)).toMatchObject({ locode: "CNSHA", timeZone: "Asia/Shanghai" });
    expect(resolved.place(named)).toBeNull();
  });

  test("creates one stub for an unknown port, with the only time zone of its country", async () => {
    const unknown = port(place("NLXQ9", { name: "Nieuwe Haven" }));
    const first = (await resolvePlaces(database.sql, [unknown], [])).place(unknown);
    expect(first?.timeZone).toBe("Europe/Amsterdam");
    expect((await resolvePlaces(database.sql, [unknown], [])).place(unknown)).toEqual(first);
    const stub = await createReferenceDataRepository(database.sql).findPort("NLXQ9");
    expect(stub).toMatchObject({ id: first?.id, name: "Nieuwe Haven", countryCode: "NL" });
  });

  test("creates a stub without a time zone in a country with several", async () => {
    const unknown = port(place("USXQ9"));
    expect((await resolvePlaces(database.sql, [unknown], [])).place(unknown)?.timeZone).toBeNull();
  });

  test("creates the same rows when workers resolve the same unknown places concurrently", async () => {
    const mentions = ["BEXA9", "BEXB9", "BEXC9"].map((locode) =>
      port(place(locode, { facilityCode: "T1", facilityCodeProvider: "SMDG", facilityType: "POTE" })),
    );
    const vessels = [
      { imo: "9321483", name: "EMMA" },
      { imo: null, name: "Nameless barge" },
    ];
    const resolvedPlaces = await Promise.all(
      [mentions, mentions.toReversed(), mentions, mentions.toReversed()].map((order) =>
        database.transaction((sql) => resolvePlaces(sql, order, vessels)),
      ),
    );
    for (const read of [
      (resolved: (typeof resolvedPlaces)[number]) => mentions.map((mention) => resolved.place(mention)?.id),
      (resolved: (typeof resolvedPlaces)[number]) => mentions.map((mention) => resolved.terminal(mention)?.id),
      (resolved: (typeof resolvedPlaces)[number]) => vessels.map((vessel) => resolved.vesselId(vessel)),
    ]) {
      const ids = resolvedPlaces.map((resolved) => JSON.stringify(read(resolved)));
      expect(new Set(ids).size).toBe(1);
      expect(ids[0]).not.toContain("null");
    }
  });

  test("resolves rail ramps to rail terminals, skips depots, and needs no place for BIC codes", async () => {
    const ramp = port(place("USLAX", { facilityCode: "RMP1", facilityType: "RAMP" }));
    const depot = port(place("USLAX", { facilityCode: "DEP1", facilityType: "DEPO" }));
    const bic = port(place(null, { facilityCode: "USLAXABCD", facilityCodeProvider: "BIC", facilityType: "POTE" }));
    const resolved = await resolvePlaces(database.sql, [ramp, depot, bic], []);
    expect(resolved.terminal(ramp)?.kind).toBe("rail_terminal");
    expect(resolved.terminal(depot)).toBeNull();
    expect(resolved.terminal(bic)?.kind).toBe("terminal");
  });
});

describe("the place directory", () => {
  test("knows aliases and zones, and learns new places when refreshed", async () => {
    const directory = await loadPlaceDirectory(database.sql);
    expect(directory.canonicalLocode("CNSGH")).toBe("CNSHA");
    expect(directory.canonicalLocode("ZZZZZ")).toBe("ZZZZZ");
    expect(directory.timeZoneOf("nlrtm")).toBe("Europe/Amsterdam");
    const unknown = port(place("SGXQ9"));
    await resolvePlaces(database.sql, [unknown], []);
    expect(directory.timeZoneOf("SGXQ9")).toBeNull();
    await directory.refresh();
    expect(directory.timeZoneOf("SGXQ9")).toBe("Asia/Singapore");
  });
});

describe("reference data by id or code", () => {
  test("finds ports by LOCODE and alias, lines by SCAC and alternative, vessels by IMO, and nothing for nonsense", async () => {
    const reference = createReferenceDataRepository(database.sql);
    const rotterdam = await reference.findPort("NLRTM");
    expect(await reference.findPort(rotterdam?.id ?? "")).toEqual(rotterdam);
    expect((await reference.findShippingLine("MEDU"))?.scac).toBe("MSCU");
    expect((await reference.listShippingLines()).length).toBeGreaterThan(20);
    const vessel = { imo: "9074729", name: "NORNE" };
    const vesselId = (await resolvePlaces(database.sql, [], [vessel])).vesselId(vessel);
    expect((await reference.findVessel("9074729"))?.id).toBe(vesselId);
    expect((await reference.findVessels([vesselId ?? ""])).map(({ name }) => name)).toEqual(["NORNE"]);
    expect(await reference.findTerminal("no-uuid")).toBeNull();
    expect(await reference.findMetroArea("XXXXX")).toBeNull();
  });
});
