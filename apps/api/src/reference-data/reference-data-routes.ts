import { addMs, compareText, dayMs } from "@svc/domain";
import { nearestPlaces } from "@svc/domain/search";
import { documentSchema, listOrPageSchema } from "@svc/jsonapi/documents";
import { oneText, timestamp } from "@svc/jsonapi/query";
import {
  MetroAreaResource,
  metroAreaResource,
  PortResource,
  portResource,
  ShippingLineResource,
  shippingLineResource,
  TerminalResource,
  terminalResource,
  VesselResource,
  vesselResource,
} from "@svc/jsonapi/reference-data";
import { defineRoute } from "../http/define-route.ts";
import { defineRecord, getRoute } from "../http/record-routes.ts";
import { completeListReply, recordDocument } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";

const tag = "Reference data";

const listShippingLines = defineRoute({
  method: "get",
  path: "/shipping_lines",
  operationId: "listShippingLines",
  summary: "List shipping lines",
  description: "Lists shipping lines by name: all in one response, or a page if one is requested.",
  tag,
  scope: "read",
  request: {
    query: {
      type: "shipping_line",
      wholeList: true,
      parameters: { search: oneText("search", "A part of the name, the short name or a SCAC.", { maxLength: 100 }) },
    },
  },
  responses: {
    200: { description: "The shipping lines.", schema: listOrPageSchema(ShippingLineResource) },
  },
  async handle(exchange) {
    const { services, query } = exchange;
    const searchText = query.parameters.search?.toUpperCase() ?? "";
    const lines = (await services.shippingLines())
      .filter(({ name, shortName, scac, alternativeScacs }) =>
        [name, shortName, scac, ...alternativeScacs].some((text) => text.toUpperCase().includes(searchText)),
      )
      .toSorted((a, b) => compareText(a.name, b.name) || compareText(a.scac, b.scac));
    const { baseUrl } = services.settings;
    const resources = lines.map((line) => shippingLineResource(line, baseUrl));
    return completeListReply(exchange, "/shipping_lines", resources);
  },
});

const getShippingLine = getRoute(
  defineRecord({
    type: "shipping_line",
    tag,
    path: "/shipping_lines/{id}",
    params: {
      id: { of: "shipping line", kind: "code", description: "The shipping line's id, SCAC or alternative SCAC." },
    },
    shown: { description: "The shipping line.", schema: documentSchema(ShippingLineResource) },
    find: ({ referenceData }, _caller, { id }) => referenceData.findShippingLine(id),
    resource: () => shippingLineResource,
  }),
  {
    operationId: "getShippingLine",
    summary: "Get a shipping line",
    description: "Returns the shipping line with this id or SCAC.",
  },
);

/** Maximum number of results of a search. */
const placesMax = 10;

const placeSearch = {
  search: oneText(
    "search",
    `A UN/LOCODE, name or city, also misspelled. Returns the nearest first, at most ${placesMax}.`,
    { maxLength: 100 },
  ),
};

const listPorts = defineRoute({
  method: "get",
  path: "/ports",
  operationId: "listPorts",
  summary: "List ports",
  description:
    "Lists the directory of ports in order of UN/LOCODE, whole or by page. Ports that only carriers or imports " +
    "reported are not listed; `GET /ports/{id}` finds them.",
  tag,
  scope: "read",
  request: { query: { type: "port", wholeList: true, parameters: placeSearch } },
  responses: { 200: { description: "The ports.", schema: listOrPageSchema(PortResource) } },
  async handle(exchange) {
    const { services, query } = exchange;
    const { search } = query.parameters;
    const ports = await services.referenceData.listPorts();
    const listed = search === undefined ? ports : nearestPlaces(search, ports, placesMax);
    const resources = listed.map((port) => portResource(port, services.settings.baseUrl));
    return completeListReply(exchange, "/ports", resources);
  },
});

const listMetroAreas = defineRoute({
  method: "get",
  path: "/metro_areas",
  operationId: "listMetroAreas",
  summary: "List metro areas",
  description:
    "Lists the directory of inland places in order of UN/LOCODE, whole or by page. Those that only carriers or " +
    "imports reported are not listed; `GET /metro_areas/{id}` finds them.",
  tag,
  scope: "read",
  request: { query: { type: "metro_area", wholeList: true, parameters: placeSearch } },
  responses: { 200: { description: "The metro areas.", schema: listOrPageSchema(MetroAreaResource) } },
  async handle(exchange) {
    const { services, query } = exchange;
    const { search } = query.parameters;
    const areas = await services.referenceData.listMetroAreas();
    const listed = search === undefined ? areas : nearestPlaces(search, areas, placesMax);
    const resources = listed.map((area) => metroAreaResource(area, services.settings.baseUrl));
    return completeListReply(exchange, "/metro_areas", resources);
  },
});

const getPort = getRoute(
  defineRecord({
    type: "port",
    tag,
    path: "/ports/{id}",
    params: { id: { of: "port", kind: "code", description: "The port's id or UN/LOCODE." } },
    shown: { description: "The port.", schema: documentSchema(PortResource) },
    find: ({ referenceData }, _caller, { id }) => referenceData.findPort(id),
    resource: () => portResource,
  }),
  {
    operationId: "getPort",
    summary: "Get a port",
    description: "Returns the port with this id or UN/LOCODE, also one that is not in the directory.",
  },
);

const getMetroArea = getRoute(
  defineRecord({
    type: "metro_area",
    tag,
    path: "/metro_areas/{id}",
    params: { id: { of: "metro area", kind: "code", description: "The metro area's id or UN/LOCODE." } },
    shown: { description: "The metro area.", schema: documentSchema(MetroAreaResource) },
    find: ({ referenceData }, _caller, { id }) => referenceData.findMetroArea(id),
    resource: () => metroAreaResource,
  }),
  {
    operationId: "getMetroArea",
    summary: "Get a metro area",
    description: "Returns the inland place with this id or UN/LOCODE, also one that is not in the directory.",
  },
);

const getTerminal = getRoute(
  defineRecord({
    type: "terminal",
    tag,
    path: "/terminals/{id}",
    params: { id: { of: "terminal", kind: "uuid", description: "The terminal's id." } },
    shown: { description: "The terminal.", schema: documentSchema(TerminalResource) },
    find: ({ referenceData }, _caller, { id }) => referenceData.findTerminal(id),
    resource: () => (terminal, baseUrl) => terminalResource(terminal, baseUrl, "terminal"),
  }),
  {
    operationId: "getTerminal",
    summary: "Get a terminal or rail terminal",
    description: "Returns the terminal with this id. A rail terminal has the `facility_type` `rail_terminal`.",
  },
);

/** About a month, at one position for every ten minutes. */
const positionsMax = 5_000;
const positionsDays = 7;

const getVessel = defineRoute({
  method: "get",
  path: "/vessels/{id}",
  operationId: "getVessel",
  summary: "Get a vessel",
  description:
    "Returns the vessel with the newest position that it reported by AIS, if the service receives AIS and the " +
    "vessel carries a tracked container. With `show_positions`, also its reported positions in a period, one for " +
    "about every ten minutes.",
  tag,
  scope: "read",
  request: {
    params: { id: { of: "vessel", kind: "code", description: "The vessel's id or IMO number." } },
    query: {
      type: "vessel",
      parameters: {
        from: timestamp(
          "show_positions[from_timestamp]",
          `Start of the positions. Default: ${positionsDays} days before their end.`,
        ),
        to: timestamp(
          "show_positions[to_timestamp]",
          `End of the positions. Default: now. The newest ${positionsMax} of the period are listed.`,
        ),
      },
    },
  },
  responses: { 200: { description: "The vessel.", schema: documentSchema(VesselResource) } },
  async handle(exchange) {
    const { services, params, query } = exchange;
    const vessel = requireFound("vessel", params.id, await services.referenceData.findVessel(params.id));
    const { vesselPositions, clock, settings } = services;
    const now = clock.now();
    const { from, to = now } = query.parameters;
    const reported = (await vesselPositions.newest([vessel.id], now)).get(vessel.id);
    const current = reported === undefined ? null : { reported, now };
    const isRequested = from !== undefined || query.parameters.to !== undefined;
    const start = from ?? addMs(to, -positionsDays * dayMs);
    const past = isRequested ? await vesselPositions.between(vessel.id, start, to, positionsMax) : undefined;
    const resource = vesselResource(vessel, settings.baseUrl, { current, ...(past && { past }) });
    return { status: 200, document: await recordDocument(exchange, resource) };
  },
});

export const referenceDataRoutes = [
  listShippingLines,
  getShippingLine,
  listPorts,
  getPort,
  listMetroAreas,
  getMetroArea,
  getTerminal,
  getVessel,
];
