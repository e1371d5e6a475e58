import { randomBytes } from "node:crypto";
import { catalogue } from "@svc/carriers/catalogue";
import { certificateProblem } from "@svc/carriers/client-certificate";
import type { CarrierConnection, CarrierCredentials } from "@svc/domain/carrier-connections";
import { attributeSource, invalidAttribute, TrackingError } from "@svc/jsonapi";
import {
  CarrierConnectionResource,
  carrierConnectionResource,
  createCarrierConnectionDocument,
  editCarrierConnectionDocument,
  toCredentials,
} from "@svc/jsonapi/carrier-connections";
import { documentSchema, pageSchema } from "@svc/jsonapi/documents";
import { type Caller, maySeeSecrets } from "../http/authenticator.ts";
import { defineRoute } from "../http/define-route.ts";
import { checkWritten } from "../http/preconditions.ts";
import { defineRecord, deleteRoute, findRecord, getRoute, listRoute } from "../http/record-routes.ts";
import { createdReply, recordReply } from "../http/replies.ts";

/** The credentials to store. Throws when a certificate cannot be used, which the carrier would reject each time. */
function readCredentials(written: Parameters<typeof toCredentials>[0]): CarrierCredentials {
  const credentials = toCredentials(written);
  if (credentials.kind !== "oauth2_private_key_jwt") return credentials;
  const found = certificateProblem(credentials, Date.now());
  if (found === null) return credentials;
  const member = found.member === "certificate" ? "certificate" : "private_key";
  throw invalidAttribute(`credentials/${member}`, `${member} ${found.problem}.`);
}

/** Codes of terminal operators, which are no shipping lines. */
const operatorCodes = new Set(catalogue.flatMap(({ scac, kind }) => (kind === "terminal_operator" ? scac : [])));

const tag = "Carrier connections";
const type = "carrier_connection";
/** Shows the connection's secrets only to a caller who may connect carriers. */
export const connectionResourceFor = (caller: Caller) => (connection: CarrierConnection, baseUrl: string) =>
  carrierConnectionResource(connection, baseUrl, { showsSecrets: maySeeSecrets(caller, "connect_carriers") });

const connectionRecord = defineRecord({
  type,
  tag,
  path: "/carrier_connections/{id}",
  params: { id: { of: "carrier connection", kind: "uuid", description: "The connection's id." } },
  shown: { description: "The connection, without its credentials.", schema: documentSchema(CarrierConnectionResource) },
  find: ({ carrierConnections }, { accountId }, { id }) => carrierConnections.find(accountId, id),
  resource: (_services, caller) => connectionResourceFor(caller),
});

const listConnections = listRoute(connectionRecord, {
  path: "/carrier_connections",
  operationId: "listCarrierConnections",
  summary: "List carrier connections",
  query: { type, list: { sortKeys: { created_at: "instant" } } },
  page: { description: "A page of connections, newest first.", schema: pageSchema(CarrierConnectionResource) },
  list: ({ carrierConnections }, { accountId }, { page }) => carrierConnections.list(accountId, page),
});

const createConnection = defineRoute({
  method: "post",
  path: "/carrier_connections",
  operationId: "createCarrierConnection",
  summary: "Create a carrier connection",
  description:
    "Connects a shipping line or terminal operator of `GET /carriers` with the account's own credentials; at most " +
    "one connection per carrier. Shipments of the carrier are polled with these credentials and counted against " +
    "their limits: some immediately, so that the connection shows whether the credentials work, the others within " +
    "about ten minutes.",
  tag,
  scope: "write",
  action: "connect_carriers",
  request: { query: { type }, body: { document: createCarrierConnectionDocument } },
  responses: { 201: connectionRecord.shown },
  async handle(exchange) {
    const { services, caller, body } = exchange;
    const { scac, credentials, active = true } = body.attributes;
    const isKnown = operatorCodes.has(scac) || (await services.shippingLines()).some((line) => line.scac === scac);
    if (!isKnown) {
      const detail = `${scac} is not a carrier of this service. GET /shipping_lines and GET /carriers list them.`;
      throw invalidAttribute("scac", detail);
    }
    const draft = {
      id: services.ids.next(),
      scac,
      credentials: readCredentials(credentials),
      active,
      pushSecret: randomBytes(48).toString("base64"),
    };
    const connection = await services.carrierConnections.create(caller.accountId, draft, services.clock.now());
    if (!connection) {
      const detail = `This account is connected to ${scac} already. Edit that connection instead.`;
      throw TrackingError.of("duplicate", detail, { source: attributeSource("scac") });
    }
    return createdReply(exchange, connection, connectionResourceFor(exchange.caller));
  },
});

const getConnection = getRoute(connectionRecord, {
  operationId: "getCarrierConnection",
  summary: "Get a carrier connection",
});

const editConnection = defineRoute({
  method: "patch",
  path: connectionRecord.path,
  operationId: "editCarrierConnection",
  summary: "Update a carrier connection",
  description:
    "Replaces the credentials, or activates or deactivates the connection. New credentials are used from the next " +
    "poll: some shipments are polled immediately, the others within about ten minutes.",
  tag,
  scope: "write",
  action: "connect_carriers",
  request: {
    params: connectionRecord.params,
    query: { type },
    body: { document: editCarrierConnectionDocument },
    conditional: true,
  },
  responses: { 200: connectionRecord.shown },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions } = exchange;
    const { credentials, active } = body.attributes;
    const edit = {
      ...(credentials && { credentials: readCredentials(credentials) }),
      ...(active !== undefined && { active }),
    };
    const options = { now: services.clock.now(), ifVersions };
    const changed = await services.carrierConnections.edit(caller.accountId, params.id, edit, options);
    const connection = changed ?? (await findRecord(connectionRecord, exchange));
    checkWritten(changed !== null, ifVersions, connection);
    return recordReply(exchange, connection, connectionResourceFor(exchange.caller));
  },
});

const deleteConnection = deleteRoute(connectionRecord, {
  action: "connect_carriers",
  operationId: "deleteCarrierConnection",
  summary: "Delete a carrier connection",
  description:
    "Deletes the connection and its credentials. Shipments stay tracked and are polled with the service's " +
    "credentials, if it has any for the carrier.",
  response: { status: 200, description: "Deleted; the body is empty." },
  remove: ({ carrierConnections, clock }, { accountId }, { id }, ifVersions) =>
    carrierConnections.delete(accountId, id, { now: clock.now(), ifVersions }),
});

export const carrierConnectionRoutes = [
  listConnections,
  createConnection,
  getConnection,
  editConnection,
  deleteConnection,
];
