import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { VesselIdentities } from "./vessel-identities.ts";

const [emma, ever, mari] = ["9321483", "9811000", "9778791"];
const [danish, panamanian, liberian] = ["220417000", "353136000", "636019825"];

test("learns a pair from its first report and refuses numbers that cannot exist", () => {
  const identities = new VesselIdentities();
  expect(identities.report({ imo: emma, mmsi: danish })).toBe("learned");
  expect(identities.report({ imo: emma, mmsi: danish })).toBe("known");
  expect([identities.imoOf(danish), identities.mmsiOf(emma)]).toEqual([emma, danish]);
  for (const pair of [
    { imo: "9321484", mmsi: liberian },
    { imo: "0", mmsi: liberian },
    { imo: ever, mmsi: "002470000" },
    { imo: ever, mmsi: "12345" },
  ]) {
    expect(identities.report(pair)).toBe("invalid");
  }
});

test("a vessel that changes its flag gets its new MMSI after three reports in a row", () => {
  const identities = new VesselIdentities([{ imo: emma, mmsi: danish }]);
  expect(identities.report({ imo: emma, mmsi: liberian })).toBe("contradicts");
  expect([identities.imoOf(danish), identities.imoOf(liberian)]).toEqual([emma, null]);
  expect(identities.report({ imo: emma, mmsi: liberian })).toBe("contradicts");
  expect(identities.report({ imo: emma, mmsi: liberian })).toBe("learned");
  expect([identities.imoOf(danish), identities.imoOf(liberian)]).toEqual([null, emma]);
});

test("an MMSI that two vessels transmit identifies neither while they alternate", () => {
  const identities = new VesselIdentities([{ imo: emma, mmsi: danish }]);
  for (let round = 0; round < 5; round += 1) {
    expect(identities.report({ imo: ever, mmsi: danish })).toBe("contradicts");
    expect(identities.imoOf(danish)).toBeNull();
    expect(identities.report({ imo: emma, mmsi: danish })).toBe("known");
    expect(identities.imoOf(danish)).toBe(emma);
  }
});

test("removes the pairs of vessels that are not tracked any more", () => {
  const identities = new VesselIdentities([
    { imo: emma, mmsi: danish },
    { imo: ever, mmsi: panamanian },
  ]);
  identities.retain(new Set([ever]));
  expect([identities.imoOf(danish), identities.imoOf(panamanian)]).toEqual([null, ever]);
  expect(identities.report({ imo: mari, mmsi: danish })).toBe("learned");
});

test("each number is part of at most one pair, whatever is reported", () => {
  const pair = fc.record({
    imo: fc.constantFrom(emma, ever, mari, "1234567"),
    mmsi: fc.constantFrom(danish, panamanian, liberian),
  });
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 60 }), (reports) => {
      const identities = new VesselIdentities();
      for (const each of reports) {
        const outcome = identities.report(each);
        if (outcome === "known" || outcome === "learned") {
          expect([identities.imoOf(each.mmsi), identities.mmsiOf(each.imo)]).toEqual([each.imo, each.mmsi]);
        }
        for (const imo of [emma, ever, mari]) {
          const mmsi = identities.mmsiOf(imo);
          if (mmsi !== null) expect([imo, null]).toContain(identities.imoOf(mmsi));
        }
      }
    }),
  );
});
