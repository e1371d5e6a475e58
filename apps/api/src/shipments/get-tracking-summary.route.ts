import type { Instant } from "@svc/domain";
import { provenAccuracy } from "@svc/domain/eta-predictions";
import type { PageRequest } from "@svc/domain/lists";
import { type Shipment, withContainerArrival } from "@svc/domain/shipments";
import { carrierReportedAt, shipmentFreshness } from "@svc/domain/tracking";
import { journeySteps } from "@svc/domain/transport-events";
import { TrackingError } from "@svc/jsonapi";
import { containerResource } from "@svc/jsonapi/containers";
import { asOfDocumentSchema, documentSelfLink, resourceDocument } from "@svc/jsonapi/documents";
import { fieldChangeResource, provenanceResource } from "@svc/jsonapi/history";
import { oneId, timestamp } from "@svc/jsonapi/query";
import { terminalResource } from "@svc/jsonapi/reference-data";
import { shipmentResource, TrackingSummaryResource, trackingSummaryResource } from "@svc/jsonapi/shipments";
import { readEventNames } from "@svc/persistence/reference-data";
import { exceptionResources } from "../exceptions/exception-routes.ts";
import { notKnownYet } from "../history/get-record-as-of.route.ts";
import { servicesAsOf } from "../history/services-as-of.ts";
import { defineRoute } from "../http/define-route.ts";
import { requireFound } from "../http/require-found.ts";
import type { Services } from "../services.ts";

const relatedMax = 6;
const etaChangesMax = 300;
const reportsMax = 200;
/** More than the derived attributes of a record. */
const attributesMax = 100;
const exceptionsMax = 100;
const changeTimesMax = 500;

const first = <SortKey extends string>(size: number, sortBy: SortKey): PageRequest<SortKey> => ({
  size,
  sortBy,
  descending: true,
  position: { kind: "number", number: 1 },
});

/** What of the shipment is shown. */
interface SummaryOptions {
  /** Container whose journey is shown. Null: the shipment has none. */
  readonly containerId: string | null;
  /** Undefined: the present. */
  readonly asOf: Instant | undefined;
  readonly now: Instant;
}

/** Milestones, reports and data sources of one container. */
async function readContainer(services: Services, accountId: string, id: string | null) {
  if (id === null) return { timeline: [], reports: [], provenance: [], names: new Map<string, string>() };
  const [timeline, reports, provenance] = await Promise.all([
    services.transportEvents.findOfContainers(accountId, [id]),
    services.rawEvents.listOfContainer(accountId, id, first(reportsMax, "created_at")),
    services.provenance.list(accountId, id, undefined, first(attributesMax, "valid_from")),
  ]);
  const names = await readEventNames(services.includedReferenceData, timeline);
  return { timeline, reports: reports.items, provenance: provenance.items, names };
}

/** All that a summary shows of a shipment, read at the same time. Exceptions and freshness have no history. */
async function readParts(services: Services, accountId: string, shipment: Shipment, summaryOptions: SummaryOptions) {
  const { id, containerIds } = shipment;
  const { containerId, asOf } = summaryOptions;
  const isPresent = asOf === undefined;
  const terminalIds = [shipment.podTerminal?.id, shipment.destinationTerminal?.id].flatMap((one) => one ?? []);
  const openExceptions = { shipment: [id], status: ["open"] } as const;
  const recordIds = containerId === null ? [id] : [id, containerId];
  const [
    containers,
    ofContainer,
    lastEvents,
    lastFreeDaysByRule,
    relatedShipments,
    etaChanges,
    provenance,
    exceptions,
    state,
    prediction,
    terminals,
    changeTimes,
  ] = await Promise.all([
    services.containers.findMany(accountId, containerIds),
    readContainer(services, accountId, containerId),
    services.readLastEvents(accountId, containerIds),
    isPresent ? services.readLastFreeDaysByRule(accountId, containerIds) : [],
    services.findNamesakes(accountId, shipment, relatedMax),
    services.history.list(accountId, id, ["podEtaAt"], first(etaChangesMax, "valid_from")),
    services.provenance.list(accountId, id, undefined, first(attributesMax, "valid_from")),
    isPresent
      ? services.exceptions.list(accountId, openExceptions, first(exceptionsMax, "priority"), summaryOptions.now)
      : { items: [] },
    isPresent ? services.trackedState(accountId, id) : null,
    isPresent ? services.findPrediction(accountId, id) : null,
    terminalIds.length === 0 ? [] : services.includedReferenceData.terminals(terminalIds),
    services.changeTimes(accountId, recordIds, changeTimesMax),
  ]);
  return {
    containers,
    ofContainer,
    lastEvents,
    lastFreeDaysByRule,
    relatedShipments,
    state,
    prediction,
    terminals,
    changeTimes,
    etaChanges: etaChanges.items,
    provenance: provenance.items,
    exceptions: exceptions.items,
  };
}

type SummaryParts = Awaited<ReturnType<typeof readParts>>;

const idsOf = (items: readonly { readonly id: string }[]) => items.map((item) => item.id);

function buildSummary(shipment: Shipment, parts: SummaryParts, { containerId, now }: SummaryOptions) {
  const { containers, ofContainer, state, prediction } = parts;
  const { podAtaAt, portOfDischarge } = shipment;
  const accuracy =
    prediction && provenAccuracy(prediction, { podAtaAt, portOfDischargeLocode: portOfDischarge?.locode ?? null }, now);
  const selected = containers.find(({ id }) => id === containerId);
  const voyage = selected === undefined ? shipment : withContainerArrival(selected, shipment);
  return trackingSummaryResource({
    shipmentId: shipment.id,
    containerIds: shipment.containerIds,
    containerId,
    freshness: state && shipmentFreshness(state, now).freshness,
    lastChangedAt: state && carrierReportedAt(state),
    journey: journeySteps({ ...ofContainer, shipment: voyage }),
    predictedEta: prediction && accuracy && { ...prediction, accuracy },
    lastEvents: parts.lastEvents,
    lastFreeDaysByRule: parts.lastFreeDaysByRule,
    relatedShipments: parts.relatedShipments,
    changeTimes: parts.changeTimes,
    exceptionIds: idsOf(parts.exceptions),
    etaChangeIds: idsOf(parts.etaChanges),
    provenanceIds: idsOf(parts.provenance),
    containerProvenanceIds: idsOf(ofContainer.provenance),
  });
}

async function includedResources(services: Services, accountId: string, shipment: Shipment, parts: SummaryParts) {
  const { baseUrl } = services.settings;
  const toExceptionResource = await exceptionResources(services, accountId, parts.exceptions);
  const containerById = new Map(parts.containers.map((container) => [container.id, container]));
  const containers = shipment.containerIds.flatMap((id) => containerById.get(id) ?? []);
  return [
    shipmentResource(shipment, baseUrl),
    ...containers.map((container) => containerResource(container, baseUrl)),
    ...parts.terminals.map((terminal) =>
      terminalResource(terminal, baseUrl, terminal.id === shipment.podTerminal?.id ? "terminal" : terminal.kind),
    ),
    ...parts.exceptions.map((exception) => toExceptionResource(exception, baseUrl)),
    ...parts.etaChanges.map(fieldChangeResource),
    ...[...parts.provenance, ...parts.ofContainer.provenance].map(provenanceResource),
  ];
}

export const getTrackingSummaryRoute = defineRoute({
  method: "get",
  path: "/shipments/{id}/tracking_summary",
  operationId: "getShipmentTrackingSummary",
  summary: "Get the tracking summary of a shipment",
  description:
    "Returns in one document what a tracking page shows: the shipment with its containers and their last events, open " +
    "exceptions, data freshness, changes of the ETA, related shipments, data sources, and the journey of one container " +
    "with estimates and plans. With `as_of` all of it is as it was known at that time, without exceptions and freshness, which " +
    `have no history. Up to ${relatedMax} related shipments, ${etaChangesMax} changes and ${exceptionsMax} ` +
    "exceptions. All related records are in `included`. To synchronize records use the lists.",
  tag: "Shipments",
  scope: "read",
  request: {
    params: { id: { of: "shipment", kind: "uuid", description: "The shipment's id." } },
    query: {
      type: "tracking_summary",
      parameters: {
        containerId: oneId(
          "container_id",
          "Id of the container whose journey is returned. Default: the first by number.",
        ),
        asOf: timestamp("as_of", "Time at which the shipment is shown. Default: now."),
      },
    } as const,
  },
  responses: { 200: { description: "The summary.", schema: asOfDocumentSchema(TrackingSummaryResource) } },
  async handle({ services: present, caller: { accountId }, params: { id }, query }) {
    const { containerId: requestedContainerId, asOf } = query.parameters;
    const services = asOf === undefined ? present : servicesAsOf(present, asOf);
    const known = await services.shipments.find(accountId, id);
    if (known === null && asOf !== undefined) {
      throw notKnownYet("shipment", id, await present.shipments.find(accountId, id), asOf);
    }
    const shipment = requireFound("shipment", id, known);
    if (requestedContainerId !== undefined && !shipment.containerIds.includes(requestedContainerId)) {
      throw TrackingError.of("invalid_parameter", "container_id must be the id of a container of this shipment.", {
        source: { parameter: "container_id" },
      });
    }
    const summaryOptions: SummaryOptions = {
      containerId: requestedContainerId ?? shipment.containerIds[0] ?? null,
      asOf,
      now: services.clock.now(),
    };
    const parts = await readParts(services, accountId, shipment, summaryOptions);
    const resource = buildSummary(shipment, parts, summaryOptions);
    const included = await includedResources(services, accountId, shipment, parts);
    const links = documentSelfLink(`${services.settings.baseUrl}/shipments/${id}/tracking_summary`, query.pairs);
    const meta = asOf === undefined ? {} : { meta: { as_of: asOf } };
    return { status: 200, document: { ...resourceDocument(resource, included, query.fields, { links }), ...meta } };
  },
});
