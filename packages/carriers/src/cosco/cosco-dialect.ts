import type { RequestType } from "@svc/domain/tracking-requests";
import type { DcsaDialect } from "../dcsa/dcsa-dialect.ts";
import { readContainerNumbers, readCoscoEvents } from "./cosco-events.ts";

const numberTypes: Readonly<Record<RequestType, string>> = {
  bill_of_lading: "bl",
  booking_number: "bkg",
  container: "cntr",
};

/**
 * Cargo tracking of COSCO's open platform. A bill of lading or a booking has the voyages and the last status of each
 * container; the events of a container are in a document of its own.
 */
export const coscoDialect: DcsaDialect = {
  eventsPath: "/info/tracking/{number}",
  apiVersion: "1",
  toVersion2: (event) => event,
  parametersOf: (kind) => ({ numberType: numberTypes[kind] }),
  readEvents: readCoscoEvents,
  furtherContainers: readContainerNumbers,
};
