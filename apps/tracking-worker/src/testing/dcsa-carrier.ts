import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An event of DCSA Track & Trace 2.2, as a carrier sends it. */
export type DcsaEvent = Readonly<Record<string, unknown>>;

type StubReply =
  | readonly DcsaEvent[]
  | { readonly status: number; readonly headers?: Record<string, string> }
  | string
  | ((response: ServerResponse) => void);

/** A carrier on its own port: replies to each number as the test configured, with 404 to every other. */
export interface DcsaCarrier {
  readonly baseUrl: string;
  /** Sets the reply: events, a status, a body that is not JSON, or a handler. */
  answer(number: string, reply: StubReply): void;
  /** 401 without this Consumer-Key; null: no key is required. */
  expectKey(key: string | null): void;
  /** Delays replies until the returned function is called. */
  hold(): () => void;
  /** Number of requests for the number. */
  requestCount(number: string): number;
  close(): Promise<void>;
}

const numberParameters = ["transportDocumentReference", "carrierBookingReference", "equipmentReference"];

export async function startDcsaCarrier(): Promise<DcsaCarrier> {
  const replies = new Map<string, StubReply>();
  const counts = new Map<string, number>();
  let delay: Promise<void> | undefined;
  let expectedKey: string | null = null;
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? "/", "http://line").searchParams;
    const number = numberParameters.map((name) => query.get(name)).find((value) => value !== null) ?? "";
    counts.set(number, (counts.get(number) ?? 0) + 1);
    const isRefused = expectedKey !== null && request.headers["consumer-key"] !== expectedKey;
    const reply = isRefused ? { status: 401 } : (replies.get(number) ?? { status: 404 });
    void (delay ?? Promise.resolve()).then(() => send(response, reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (number, reply) => void replies.set(number, reply),
    expectKey(key) {
      expectedKey = key;
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      delay = promise;
      return () => {
        delay = undefined;
        resolve();
      };
    },
    requestCount: (number) => counts.get(number) ?? 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, reply: StubReply): void {
  if (typeof reply === "function") reply(response);
  else if (typeof reply === "string") response.writeHead(200, { "content-type": "text/html" }).end(reply);
  else if ("status" in reply) response.writeHead(reply.status, reply.headers).end("{}");
  else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply));
}

const vessel = { vesselIMONumber: "9321483", vesselName: "EMMA" };
const ports = {
  CNSHA: { transportCallSequenceNumber: 1, facilityCode: "YS1" },
  NLRTM: { transportCallSequenceNumber: 2, facilityCode: "APM2" },
} as const;

type Port = keyof typeof ports;
type Classifier = "PLN" | "EST" | "ACT";

let created = 0;

const event = (at: string, classifier: Classifier, rest: object): DcsaEvent => ({
  eventID: `event-${++created}`,
  eventCreatedDateTime: classifier === "ACT" ? at : new Date(Date.UTC(2026, 0, 1) + created * 60_000).toISOString(),
  eventDateTime: at,
  eventClassifierCode: classifier,
  ...rest,
});

const callAt = (port: Port, facilityCode: string = ports[port].facilityCode) => ({
  transportCall: {
    transportCallID: `call-${port}`,
    modeOfTransport: "VESSEL",
    exportVoyageNumber: "021E",
    importVoyageNumber: "021E",
    UNLocationCode: port,
    facilityCodeListProvider: "SMDG",
    facilityTypeCode: "POTE",
    vessel,
    ...ports[port],
    facilityCode,
  },
});

/** A vessel departure or arrival. */
export function vesselMove(
  code: "DEPA" | "ARRI",
  port: Port,
  at: string,
  classifier: Classifier,
  facility?: string,
): DcsaEvent {
  return event(at, classifier, { eventType: "TRANSPORT", transportEventTypeCode: code, ...callAt(port, facility) });
}

/** A container is loaded or discharged. */
export function containerMove(
  code: "LOAD" | "DISC",
  container: string,
  port: Port,
  at: string,
  classifier: Classifier = "ACT",
): DcsaEvent {
  return event(at, classifier, {
    eventType: "EQUIPMENT",
    equipmentEventTypeCode: code,
    equipmentReference: container,
    ISOEquipmentCode: "45G1",
    emptyIndicatorCode: "LADEN",
    eventLocation: { UNLocationCode: port },
    ...callAt(port),
  });
}

/** A container is taken out full or returned empty. */
export function gateMove(code: "GTOT" | "GTIN", container: string, port: Port, at: string): DcsaEvent {
  return event(at, "ACT", {
    eventType: "EQUIPMENT",
    equipmentEventTypeCode: code,
    equipmentReference: container,
    emptyIndicatorCode: code === "GTIN" ? "EMPTY" : "LADEN",
    eventLocation: { UNLocationCode: port },
  });
}

/** The booking is confirmed or cancelled. */
export function bookingDecision(code: "CONF" | "VOID", at: string): DcsaEvent {
  return event(at, "ACT", {
    eventType: "SHIPMENT",
    shipmentEventTypeCode: code,
    documentTypeCode: "BKG",
    documentID: "BOOKING1",
  });
}

/** Shanghai to Rotterdam in early 2026: loaded and departed, with an estimated arrival. */
export function voyage(containers: readonly string[] = ["MSKU0000006"]): readonly DcsaEvent[] {
  return [
    ...containers.map((container) => containerMove("LOAD", container, "CNSHA", "2026-01-05T08:00:00+08:00")),
    vesselMove("DEPA", "CNSHA", "2026-01-06T10:00:00+08:00", "ACT"),
    vesselMove("ARRI", "NLRTM", "2026-02-01T06:00:00+01:00", "EST"),
    ...containers.map((container) => containerMove("DISC", container, "NLRTM", "2026-02-01T18:00:00+01:00", "PLN")),
  ];
}
