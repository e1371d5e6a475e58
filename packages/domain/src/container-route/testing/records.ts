import { testPlaces } from "../../derivation/testing/voyage.ts";
import { portNamed } from "../../sea-routes/testing/ports.ts";
import type { RoutePlace, RouteRecords } from "../route-stop.ts";

/** Records whose ids are their codes. Inland places have no coordinates. */
export const testRecords: RouteRecords = {
  ...testPlaces,
  place({ locode, kind }) {
    if (locode === null) return null;
    const canonical = testPlaces.canonicalLocode(locode);
    const [longitude, latitude] = kind === "port" ? portNamed(canonical).position : [null, null];
    const place: RoutePlace = {
      id: canonical,
      kind,
      locode: canonical,
      name: canonical,
      stateAbbr: null,
      countryCode: canonical.slice(0, 2),
      timeZone: "UTC",
      latitude,
      longitude,
    };
    return place;
  },
  facility: ({ facilityCode }, { kind }) =>
    facilityCode === null ? null : { id: facilityCode, kind: kind === "port" ? "terminal" : "rail_terminal" },
  vessel: ({ imo, name }) => ({ id: `vessel ${imo}`, imo, name: name ?? "", mmsi: null }),
};
