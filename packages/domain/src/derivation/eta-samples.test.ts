import { describe, expect, test } from "@jest/globals";
import type { DerivedShipment } from "./derived-shipment.ts";
import { etaSampleChanges } from "./eta-samples.ts";

const derived = (value: unknown) => ({ value, rule: "", observationId: null, dataSource: "shipping_line" });
const valuesOf = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, derived(value)]));

const day = (of: number): string => `2026-12-${of}T00:00:00.000Z`;

/** The ETA is that of the last container, the actual arrival that of the first one. */
function shipment(attributes: object, ...containers: object[]): DerivedShipment {
  const port = { portOfDischarge: { locode: "DEHAM", name: null, kind: "port" } };
  return {
    attributes: valuesOf({ ...port, ...attributes }),
    containers: containers.map((own, index) => ({ number: String(index), attributes: valuesOf(own), events: [] })),
    bookingCancelled: false,
  } as unknown as DerivedShipment;
}

const fields = (of: string[], containers: string[] = []) => ({
  shipment: new Set(of),
  containers: new Set(containers),
});

describe("ETA samples of a split shipment", () => {
  const arrived = { podEtaAt: day(15), podArrivedAt: day(15) };
  const partly = { podEtaAt: day(20), podAtaAt: day(15) };

  test("stay open while the last container is at sea, and its estimates are sampled", () => {
    const changes = etaSampleChanges(
      shipment(partly, arrived, { podEtaAt: day(20) }),
      fields(["podAtaAt", "podEtaAt"], ["podArrivedAt"]),
    );
    expect(changes).toEqual({
      estimate: { from: null, to: "DEHAM", etaAt: day(20) },
      arrival: { from: null, to: "DEHAM", arrivedAt: null },
    });
  });

  test("are closed by the arrival of the last container", () => {
    const all = shipment(partly, arrived, { podEtaAt: day(20), podDischargedAt: day(21) });
    const closed = { estimate: null, arrival: { from: null, to: "DEHAM", arrivedAt: day(21) } };
    expect(etaSampleChanges(all, fields([], ["podDischargedAt"]))).toEqual(closed);
    expect(etaSampleChanges(all, fields([], ["podFullOutAt"])).arrival).toBeNull();
  });

  test("are closed by the shared arrival once the containers arrive together", () => {
    const consistent = shipment(partly, { podArrivedAt: day(15) }, {});
    expect(etaSampleChanges(consistent, fields([], ["podEtaAt"])).arrival).toMatchObject({ arrivedAt: day(15) });
    expect(etaSampleChanges(consistent, fields([], ["podArrivedAt"])).arrival).toBeNull();
  });
});
