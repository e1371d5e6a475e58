import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { Provenance } from "@svc/domain/history";
import { factList } from "./field-sources.ts";

test("two facts of one attribute have a note each, under an id of its own", () => {
  const source = {
    id: "019ac111-0000-7000-8000-00000000a1b2",
    dataSource: "shipping_line",
    rule: "E6 estimated.vessel_departed",
    validFrom: instant("2026-11-01T00:00:00.000Z"),
    channel: null,
    receivedAt: null,
    statedAt: null,
  } as Provenance;
  const facts = [
    { term: "Vessel", value: "Kite", field: "podVessel" },
    { term: "Vessel IMO", value: "9321483", field: "podVessel" },
    { term: "Customer", value: "–", field: null },
  ];
  const ids = [...String(factList(facts, new Map([["podVessel", source]]))).matchAll(/<details[^>]* id="([^"]*)"/g)];
  expect(ids.map(([, id]) => id)).toEqual(["source-vessel-00a1b2", "source-vessel-imo-00a1b2"]);
});
