import { compactNumber } from "@svc/domain/identifiers";
import { readSearchQuery } from "@svc/domain/search";
import { type Shipment, shipmentArrival, shipmentStatuses, unknownArrival } from "@svc/domain/shipments";
import { TrackingError } from "@svc/jsonapi";
import { asOfDocumentSchema, pageSchema } from "@svc/jsonapi/documents";
import {
  booleanFlag,
  codes,
  deprecated,
  enumList,
  freeTexts,
  oneText,
  type QueryDefinition,
  texts,
  timestamp,
} from "@svc/jsonapi/query";
import { editShipmentDocument, ShipmentResource, shipmentResource } from "@svc/jsonapi/shipments";
import { getRecordAsOfRoute } from "../history/get-record-as-of.route.ts";
import { defineRoute } from "../http/define-route.ts";
import { checkWritten } from "../http/preconditions.ts";
import { listReply, recordReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import { withMentions } from "../notes/with-mentions.ts";
import type { Services } from "../services.ts";
import { canonicalScacs, intersectNumberForms } from "../tracking-requests/number-forms.ts";

const tag = "Shipments";
const params = { id: { of: "shipment", kind: "uuid", description: "The shipment's id." } } as const;
const oneQuery = { type: "shipment" } as const satisfies QueryDefinition;

/** Maximum number of records that match a part of a number; filters and pages apply to these. */
const foundMax = 200;

const listQuery = {
  type: "shipment",
  list: { sortKeys: { created_at: "instant", updated_at: "instant", arrival: "instant" } },
  parameters: {
    status: enumList("filter[status]", "Status of the shipment.", shipmentStatuses),
    port: codes(
      "filter[port]",
      "UN/LOCODE of the port of loading, of discharge or the destination. GET /shipment_overviews filters by any call.",
      5,
    ),
    carrier: codes("filter[carrier]", "SCAC of the shipping line.", 4),
    updatedAfter: timestamp("filter[updated_after]", "Updated after this time."),
    createdAfter: timestamp("filter[created_after]", "Created after this time."),
    arrivalAfter: timestamp(
      "filter[arrival_after]",
      "Arrives later than this, actual or expected, where the journey ends.",
    ),
    arrivalBefore: timestamp(
      "filter[arrival_before]",
      "Arrives earlier than this, actual or expected, where the journey ends.",
    ),
    number: texts("filter[number]", "Bill of lading or booking number.", compactNumber),
    shortNumber: deprecated(texts("number", "Deprecated: use filter[number].", compactNumber)),
    q: deprecated(
      oneText("q", `Part of a number or reference, as for GET /search; up to ${foundMax} that have it.`, {
        maxLength: 100,
      }),
    ),
    refNumber: freeTexts("filter[ref_number]", "Reference number, exact."),
    tag: freeTexts("filter[tag]", "Tag, exact.", 50),
    trackingStopped: booleanFlag("filter[tracking_stopped]", "Whether tracking has stopped."),
  },
} as const satisfies QueryDefinition;

const listShipments = defineRoute({
  method: "get",
  path: "/shipments",
  operationId: "listShipments",
  summary: "List shipments",
  description:
    "Lists the account's shipments, newest first. Use it to synchronize records; for reports, use `GET " +
    "/shipment_overviews`.",
  tag,
  scope: "read",
  request: { query: listQuery },
  responses: { 200: { description: "A page of shipments, newest first.", schema: pageSchema(ShipmentResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { number: named, shortNumber, q, carrier, ...others } = query.parameters;
    const lines = named || shortNumber || carrier ? await services.shippingLines() : [];
    const number = intersectNumberForms(named, shortNumber, lines);
    const searchQuery = readSearchQuery(q ?? "");
    const matching = searchQuery ? await services.findMatchingShipments(caller.accountId, searchQuery, foundMax) : [];
    const filters = {
      ...others,
      ...(q !== undefined && { id: matching.map(({ id }) => id) }),
      ...(number && { number }),
      ...(carrier && { carrier: canonicalScacs(carrier, lines) }),
    };
    return listReply<Shipment>(exchange, {
      path: "/shipments",
      page: await services.shipments.list(caller.accountId, filters, query.page),
      resource: shipmentResource,
      sortValues: {
        created_at: (shipment) => shipment.createdAt,
        updated_at: (shipment) => shipment.updatedAt,
        arrival: (shipment) => shipmentArrival(shipment) ?? unknownArrival,
      },
    });
  },
});

const getShipment = getRecordAsOfRoute({
  path: "/shipments/{id}",
  operationId: "getShipment",
  kind: "shipment",
  tag,
  params,
  schema: ShipmentResource,
  find: ({ shipments }, accountId, id) => shipments.find(accountId, id),
  resource: shipmentResource,
});

async function checkCustomer({ parties }: Services, accountId: string, id: string): Promise<void> {
  if ((await parties.find(accountId, id)) !== null) return;
  const source = { pointer: "/data/relationships/customer" };
  throw TrackingError.of("not_found", "This account has no party with this id.", { source });
}

const editShipment = defineRoute({
  method: "patch",
  path: "/shipments/{id}",
  operationId: "editShipment",
  summary: "Update a shipment",
  description:
    "Replaces reference numbers, tags, the note and the customer. Omitted attributes are not changed; an empty " +
    "array clears, and so does null for the note or the customer. A note with `@` before a member's e-mail " +
    "address notifies that member by e-mail, once.",
  tag,
  scope: "write",
  action: "edit_records",
  request: { params, query: oneQuery, body: { document: editShipmentDocument }, conditional: true },
  responses: { 200: { description: "The full shipment.", schema: asOfDocumentSchema(ShipmentResource) } },
  async handle(exchange) {
    const { services, caller, params, body, ifVersions } = exchange;
    const { id } = params;
    const { ref_numbers: refNumbers, tags, note } = body.attributes;
    const customer = body.relationships.customer?.data;
    if (customer) await checkCustomer(services, caller.accountId, customer.id);
    const edit = {
      ...(refNumbers && { refNumbers }),
      ...(tags && { tags }),
      ...(note !== undefined && { note }),
      ...(customer !== undefined && { customerId: customer?.id ?? null }),
    };
    const options = { now: services.clock.now(), ifVersions };
    const edited = await withMentions(exchange, note, async ({ shipments }, plan) => {
      const before = plan && (await shipments.lockNote(caller.accountId, id));
      const written = await shipments.edit(caller.accountId, id, edit, options);
      const subject = { type: "shipment", id, name: written?.billOfLadingNumber ?? "" } as const;
      if (written) await plan?.({ subject, before, after: written.note });
      return written;
    });
    const shipment = edited ?? requireFound("shipment", id, await services.shipments.find(caller.accountId, id));
    checkWritten(edited !== null, ifVersions, shipment);
    return recordReply(exchange, shipment, shipmentResource);
  },
});

export const shipmentRoutes = [listShipments, getShipment, editShipment];
