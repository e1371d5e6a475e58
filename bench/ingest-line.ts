/** A carrier in a separate thread that returns the same bytes to every request after `workerData.afterMs` (0). */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { dayMs } from "@svc/domain";

const call = (port: string, sequence: number) => ({
  transportCallID: `call-${port}`,
  modeOfTransport: "VESSEL",
  exportVoyageNumber: "021E",
  UNLocationCode: port,
  facilityTypeCode: "POTE",
  transportCallSequenceNumber: sequence,
  vessel: { vesselIMONumber: "9321483", vesselName: "EMMA" },
});

/** The vessel departed recently and sails for weeks, so that nothing ends during the measurement. */
const at = (days: number) => new Date(Math.floor(Date.now() / dayMs + days) * dayMs).toISOString();

const events = [
  ...["MSKU0000006", "MSKU0000011"].map((container) => ({
    eventType: "EQUIPMENT",
    equipmentEventTypeCode: "LOAD",
    eventClassifierCode: "ACT",
    eventDateTime: at(-3),
    equipmentReference: container,
    ISOEquipmentCode: "45G1",
    emptyIndicatorCode: "LADEN",
    eventLocation: { UNLocationCode: "CNSHA" },
    transportCall: call("CNSHA", 1),
  })),
  {
    eventType: "TRANSPORT",
    transportEventTypeCode: "DEPA",
    eventClassifierCode: "ACT",
    eventDateTime: at(-2),
    transportCall: call("CNSHA", 1),
  },
  ...Array.from({ length: 9 }, (_, n) => ({
    eventType: "TRANSPORT",
    transportEventTypeCode: "ARRI",
    eventClassifierCode: "EST",
    eventDateTime: at(25 + n / 4),
    transportCall: call("NLRTM", 2),
  })),
].map((event, n) => ({ eventID: `event-${n}`, eventCreatedDateTime: at(-10 + n / 2), ...event }));

const body = JSON.stringify(events);

const afterMs: number = workerData?.afterMs ?? 0;
const server = createServer((_request, response) => {
  const respond = () => response.writeHead(200, { "content-type": "application/json" }).end(body);
  if (afterMs === 0) respond();
  else setTimeout(respond, afterMs);
});
server.listen(0, "127.0.0.1", () => parentPort?.postMessage({ port: (server.address() as AddressInfo).port, body }));
