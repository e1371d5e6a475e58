import type {
  AttemptResource,
  FieldChangeResource,
  MappedRecord,
  MappedRouteLocation,
  MappedTransportEvent,
  ProvenanceResource,
  RawEventResource,
  SearchResultResource,
  VesselResource,
} from "@svc/sdk";
import { columnsFor } from "../output/cells.ts";

/** How the records are listed that belong to another record. */
export const attemptColumns = columnsFor<MappedRecord<AttemptResource>>(
  ["ATTEMPT", "attemptNumber"],
  ["TIME (UTC)", "startedAt"],
  ["OUTCOME", "outcome"],
  ["STATUS", "statusCode"],
  ["MS", "durationMs"],
  ["ERROR", "errorClass"],
  ["DETAIL", "errorDetail"],
);

export const historyColumns = columnsFor<MappedRecord<FieldChangeResource>>(
  ["CHANGED (UTC)", "changedAt"],
  ["FIELD", "field"],
  ["FROM", "oldValue"],
  ["TO", "newValue"],
  ["SOURCE", "dataSource"],
  ["RULE", "rule"],
);

export const provenanceColumns = columnsFor<MappedRecord<ProvenanceResource>>(
  ["FIELD", "field"],
  ["VALUE", "value"],
  ["SINCE (UTC)", "since"],
  ["SOURCE", "dataSource"],
  ["RULE", "rule"],
  ["RECEIVED", "rawReply.receivedAt"],
);

export const transportEventColumns = columnsFor<MappedTransportEvent>(
  ["TIME (UTC)", "timestamp"],
  ["EVENT", "event"],
  ["PLACE", "location.name"],
  ["TERMINAL", "terminal.name"],
  ["VESSEL", "vessel.name"],
  ["VOYAGE", "voyageNumber"],
);

export const rawEventColumns = columnsFor<MappedRecord<RawEventResource>>(
  ["TIME (UTC)", "timestamp"],
  ["STATED", "originalEvent"],
  ["EVENT", "event"],
  ["ESTIMATED", "estimated"],
  ["PLACE", "locationName"],
  ["HEARD", "createdAt"],
);

export const routeColumns = columnsFor<MappedRouteLocation>(
  ["PLACE", "place.name"],
  ["LOCODE", "place.locode"],
  ["ARRIVES (UTC)", "inbound.eta"],
  ["ARRIVED", "inbound.ata"],
  ["DEPARTS (UTC)", "outbound.etd"],
  ["DEPARTED", "outbound.atd"],
  ["VESSEL", "outbound.vessel.name"],
);

export const futurePositionColumns = columnsFor<NonNullable<MappedRecord<VesselResource>["positions"]>[number]>(
  ["TIME (UTC)", "timestamp"],
  ["LATITUDE", "latitude"],
  ["LONGITUDE", "longitude"],
  ["HEADING", "heading"],
);

export const searchColumns = columnsFor<MappedRecord<SearchResultResource>>(
  ["KIND", "entityType"],
  ["NUMBER", "number"],
  ["CARRIER", "scac"],
  ["STATUS", "status"],
  ["FROM", "portOfLadingName"],
  ["TO", "portOfDischargeName"],
  ["ID", "id"],
);
