import type { Instant } from "@svc/domain";
import type { TrackingRequest } from "@svc/domain/tracking-requests";
import type { AnyResource } from "@svc/jsonapi";
import { containerResource } from "@svc/jsonapi/containers";
import type { RelatedResources } from "@svc/jsonapi/notifications";
import { metroAreaResource, portResource, terminalResource, vesselResource } from "@svc/jsonapi/reference-data";
import { shipmentResource } from "@svc/jsonapi/shipments";
import { exampleContainer } from "./example-container.ts";
import {
  type ExampleMoment,
  exampleIds,
  exampleMoment,
  exampleNumber,
  exampleRefNumbers,
  exampleTags,
} from "./example-moment.ts";
import { exampleMetroArea, examplePorts, exampleTerminals, exampleVessels } from "./example-places.ts";
import { exampleShipment } from "./example-shipment.ts";

/** The records of the examples at one moment, and the same lookup as real notifications have. */
export interface ExampleVoyage extends ExampleMoment {
  readonly request: TrackingRequest;
  readonly related: RelatedResources;
  readonly baseUrl: string;
}

function exampleRequest({ row }: ExampleMoment): TrackingRequest {
  return {
    id: exampleIds.request,
    requestType: "bill_of_lading",
    requestNumber: exampleNumber,
    normalizedNumber: exampleNumber,
    scac: "SBXL",
    refNumbers: exampleRefNumbers,
    shipmentTags: exampleTags,
    customerId: null,
    status: "created",
    failedReason: null,
    isRetrying: false,
    retryCount: 0,
    createdByUserId: null,
    shipmentId: exampleIds.shipment,
    ...row,
  };
}

/** The voyage when it has come to `hour` hours after its departure, and it is `now`. */
export function exampleVoyage(now: Instant, hour: number, baseUrl: string): ExampleVoyage {
  const moment = exampleMoment(now, hour);
  const resources: readonly AnyResource[] = [
    shipmentResource(exampleShipment(moment), baseUrl),
    containerResource(exampleContainer(moment), baseUrl),
    ...Object.values(examplePorts).map((port) => portResource(port, baseUrl)),
    metroAreaResource(exampleMetroArea, baseUrl),
    ...Object.values(exampleTerminals).map((terminal) => terminalResource(terminal, baseUrl)),
    ...Object.values(exampleVessels).map((vessel) => vesselResource(vessel, baseUrl)),
  ];
  const byId = new Map(resources.map((resource) => [resource.id, resource]));
  return {
    ...moment,
    request: exampleRequest(moment),
    related: (...ids) => ids.flatMap((id) => byId.get(id ?? "") ?? []),
    baseUrl,
  };
}
