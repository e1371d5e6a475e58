import type { TransportCall } from "../dcsa/event-schema.ts";
import { stableUuid } from "../random.ts";
import type { Place } from "../world/places.ts";
import type { Leg } from "./journey.ts";
import type { Shipment } from "./shipment.ts";

/** A fictional code in the format of SMDG terminal codes, for example `LAXT1`. */
function terminalCode(place: Place): string {
  return `${place.locode.slice(2)}T1`;
}

/** The transport call at which a leg departs or arrives. */
export function callOf(leg: Leg, end: "departure" | "arrival"): TransportCall {
  const place = end === "departure" ? leg.from : leg.to;
  const { mode, vessel, voyage, service } = leg.carriage;
  const means = vessel?.imo ?? mode;
  return {
    transportCallID: stableUuid(`call/${means}/${voyage}/${place.locode}/${end}`),
    modeOfTransport: mode,
    carrierServiceCode: service,
    exportVoyageNumber: voyage,
    importVoyageNumber: voyage,
    transportCallSequenceNumber: leg.position * 2 - (end === "departure" ? 1 : 0),
    UNLocationCode: place.locode,
    facilityCode: terminalCode(place),
    facilityCodeListProvider: "SMDG",
    facilityTypeCode: place.kind === "inland" ? "RAMP" : "POTE",
    ...(vessel
      ? {
          vessel: {
            vesselIMONumber: vessel.imo,
            vesselName: vessel.name,
            vesselOperatorCarrierCode: "SBXL",
            vesselOperatorCarrierCodeListProvider: "NMFTA",
          },
        }
      : {}),
  };
}

/** The transport call of a truck at a terminal or an empty depot. */
export function truckCall(shipment: Shipment, place: Place, facility: "terminal" | "depot"): TransportCall {
  const base = {
    transportCallID: stableUuid(`call/truck/${shipment.billOfLading}/${place.locode}/${facility}`),
    modeOfTransport: "TRUCK" as const,
    UNLocationCode: place.locode,
  };
  if (facility === "depot") return { ...base, facilityTypeCode: "DEPO" };
  return {
    ...base,
    facilityCode: terminalCode(place),
    facilityCodeListProvider: "SMDG",
    facilityTypeCode: place.kind === "inland" ? "RAMP" : "POTE",
  };
}
