import type { Instant } from "@svc/domain";
import { type AnyResource, notFound, TrackingError } from "@svc/jsonapi";
import { asOfDocumentSchema } from "@svc/jsonapi/documents";
import { timestamp } from "@svc/jsonapi/query";
import type { z } from "zod";
import { defineRoute, type PathParameter, type Route } from "../http/define-route.ts";
import { recordDocument, recordReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";
import type { Services } from "../services.ts";
import { servicesAsOf } from "./services-as-of.ts";

/** A kind of record whose tracked attributes have a history. */
interface RecordWithHistory<Item> {
  readonly kind: "shipment" | "container";
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly tag: string;
  readonly params: { readonly id: PathParameter };
  readonly schema: z.ZodType;
  readonly find: (services: Services, accountId: string, id: string) => Promise<Item | null>;
  readonly resource: (item: Item, baseUrl: string) => AnyResource & { readonly links: { readonly self: string } };
}

const asOfParameter = timestamp("as_of", "Time at which the record is shown. Default: now.");

/** Reads one record, as it is or as it was known at a time. */
export function getRecordAsOfRoute<Item extends { readonly rowVersion: number; readonly createdAt: Instant }>(
  record: RecordWithHistory<Item>,
): Route {
  const { kind, path, operationId, tag, params, schema, find, resource } = record;
  return defineRoute({
    method: "get",
    path,
    operationId,
    summary: `Get a ${kind}`,
    description:
      "Returns the current state. With `as_of`, tracked attributes, linkage and included records are as they were " +
      "known then, and `meta.as_of` repeats it. Attributes without a history (references, tags, names of " +
      `companies and places) are as they are now, but a time later than \`as_of\` is null. A ${kind} that was not ` +
      "known yet is 404.",
    tag,
    scope: "read",
    request: { params, query: { type: kind, parameters: { asOf: asOfParameter } } },
    responses: { 200: { description: `The ${kind}.`, schema: asOfDocumentSchema(schema) } },
    async handle(exchange) {
      const { services, caller, query } = exchange;
      const { id } = exchange.params;
      const { asOf } = query.parameters;
      if (asOf === undefined) {
        return recordReply(exchange, requireFound(kind, id, await find(services, caller.accountId, id)), resource);
      }
      const then = servicesAsOf(services, asOf);
      const past = await find(then, caller.accountId, id);
      if (!past) throw notKnownYet(kind, id, await find(services, caller.accountId, id), asOf);
      const document = await recordDocument({ ...exchange, services: then }, resource(past, services.settings.baseUrl));
      // The document has no version: a write cannot be conditional on a past state.
      return { status: 200, document: { ...document, meta: { as_of: asOf } } };
    },
  });
}

export function notKnownYet(
  kind: string,
  id: string,
  present: { createdAt: Instant } | null,
  asOf: Instant,
): TrackingError {
  if (present === null) return notFound(kind, id);
  const detail = `This ${kind} did not exist at ${asOf}. It was created at ${present.createdAt}.`;
  return TrackingError.of("not_found", detail, { source: { parameter: "as_of" } });
}
