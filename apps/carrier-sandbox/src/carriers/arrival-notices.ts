import type { DcsaServer } from "@svc/carriers/carrier-server";
import type { RequestHandler } from "express";
import type { Voyage } from "../sandbox-carrier.ts";
import { terminalReport } from "../terminal/terminal-report.ts";
import type { Container } from "../voyage/shipment.ts";
import { type ImitationDependencies, textOf } from "./dcsa-handler.ts";

interface Visit {
  readonly facility: {
    readonly UNLocationCode: string;
    readonly facilityCode: string | null;
    readonly facilityTypeCode: string;
    readonly name: string;
  };
  readonly lineLastFreeDay?: { readonly since: string; readonly day: string };
}

interface FreeContainer {
  readonly container: Container;
  readonly facility: Visit["facility"];
  readonly lastFreeDay: { readonly since: string; readonly day: string };
}

/** The containers whose last free day the carrier has set. */
function freeContainers(voyage: Voyage, now: number): readonly FreeContainer[] {
  return voyage.shipment.containers.flatMap((container) => {
    const report = terminalReport(voyage, container, now) as { readonly visits: readonly Visit[] } | null;
    return (report?.visits ?? []).flatMap(({ facility, lineLastFreeDay }) =>
      lineLastFreeDay === undefined ? [] : [{ container, facility, lastFreeDay: lineLastFreeDay }],
    );
  });
}

/** A notice of DCSA Arrival Notice 1.0. One of its free times is of a type that the standard does not name. */
function toNotice({ shipment }: Voyage, free: readonly FreeContainer[]): object {
  const location = ({ facility }: FreeContainer) => ({
    locationName: facility.name,
    facilityTypeCode: facility.facilityTypeCode,
    UNLocationCode: facility.UNLocationCode,
    ...(facility.facilityCode !== null && {
      facility: { facilityCode: facility.facilityCode, facilityCodeListProvider: "SMDG" },
    }),
  });
  const lastFreeDate = (day: string) => ({ value: day, classifier: "ACT" });
  return {
    issueDateTime: free.map(({ lastFreeDay }) => lastFreeDay.since).reduce((last, at) => (at > last ? at : last)),
    transportDocumentReference: shipment.billOfLading,
    transportDocumentTypeCode: "BOL",
    utilizedTransportEquipments: free.map((each) => ({
      equipment: { equipmentReference: each.container.number },
      pickupInformation: { pickupLocation: location(each) },
    })),
    freeTimes: [
      ...free.map(({ container, lastFreeDay }) => ({
        typeCodes: ["DEM"],
        equipmentReferences: [container.number],
        duration: 7,
        timeUnit: "CD",
        lastFreeDate: lastFreeDate(lastFreeDay.day),
      })),
      { typeCodes: ["DET"], duration: 5, timeUnit: "CD" },
      { typeCodes: ["XYZ"], lastFreeDate: lastFreeDate("2026-01-01") },
    ],
    charges: [{ chargeName: "Documentation fee - Destination", currencyCode: "USD", currencyAmount: 85 }],
  };
}

/** `GET …/arrival-notices`: of a bill of lading whose containers are discharged; before that it has none. */
export function arrivalNotices(
  server: DcsaServer,
  { carrier, numbers, now: clock }: ImitationDependencies,
): RequestHandler {
  return (request, response) => {
    const bill = textOf(request.query.transportDocumentReferences);
    if (bill === undefined || bill.includes(",")) {
      const message = "transportDocumentReferences must be one reference.";
      response.status(400).json({ feedbackElements: [{ severity: "ERROR", message }] });
      return;
    }
    const isUnknown = server.prefixedBill !== "accepted" && numbers.isPrefixed(bill);
    const now = clock();
    const voyage = isUnknown ? null : carrier.byBillOfLading(numbers.reference(bill) ?? "", now);
    const free = voyage === null ? [] : freeContainers(voyage, now);
    const notices = voyage === null || free.length === 0 ? [] : [toNotice(voyage, free)];
    response.type("json").send(numbers.ofCarrier(JSON.stringify({ arrivalNotices: notices })));
  };
}
