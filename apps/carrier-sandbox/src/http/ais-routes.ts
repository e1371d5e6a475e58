import type { Logger } from "@svc/service-kit";
import { Router } from "express";
import { type VesselMovement, vesselMovements } from "../ais/vessel-movements.ts";
import type { SandboxCarrier } from "../sandbox-carrier.ts";

/** The vessels of the latest shipments transmit. */
const shipmentsMax = 500;
const notAvailable = { ROT: 128, HEADING: 511 };

/** `GET /ais/ws.php`: the vessels of the carrier's shipments as AISHub reports them (`format=1&output=json`). */
export function aisRoutes({
  carrier,
  username,
  now: clock,
  logger,
}: {
  carrier: SandboxCarrier;
  /** The only one that is accepted. */
  username: string;
  now: () => number;
  logger: Logger;
}): Router {
  const router = Router();
  router.get("/ws.php", (request, response) => {
    const status = { ERROR: false, USERNAME: username, FORMAT: "HUMAN" };
    if (request.query.username !== username) {
      response.json([{ ...status, ERROR: true, USERNAME: "", ERROR_MESSAGE: "Invalid username!" }]);
      return;
    }
    const now = clock();
    const requestedImos = typeof request.query.imo === "string" ? new Set(request.query.imo.split(",")) : null;
    const vessels = vesselMovements(
      carrier.latest(shipmentsMax).map(({ facts }) => facts),
      now,
    ).filter(({ imo }) => requestedImos === null || requestedImos.has(imo));
    logger.debug({ vessels: vessels.length }, "ais.answered");
    response.json([{ ...status, RECORDS: vessels.length }, vessels.map((vessel) => recordOf(vessel, now))]);
  });
  return router;
}

function recordOf({ imo, mmsi, name, position, speedKnots, courseDegrees, destination }: VesselMovement, now: number) {
  const [longitude, latitude] = position;
  return {
    MMSI: Number(mmsi),
    TIME: `${new Date(now).toISOString().slice(0, 19).replace("T", " ")} GMT`,
    LONGITUDE: Math.round(longitude * 1e5) / 1e5,
    LATITUDE: Math.round(latitude * 1e5) / 1e5,
    COG: Math.round(courseDegrees * 10) / 10,
    SOG: Math.round(speedKnots * 10) / 10,
    ...notAvailable,
    NAVSTAT: 0,
    IMO: Number(imo),
    NAME: name,
    DEST: destination,
  };
}
