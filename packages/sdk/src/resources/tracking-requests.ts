import type { RequestType } from "@svc/domain/tracking-requests";
import type { InferNumberDocument, TrackingRequestResource } from "@svc/jsonapi/tracking-requests";
import { boundsQuery, type FilterValue, filterQuery, type PageParameters } from "../documents/query.ts";
import type { Format } from "../format.ts";
import type { CallOptions } from "../http/transport.ts";
import type { CustomFieldValue } from "./custom-fields.ts";
import { type CreateOptions, type Reader, type ReadOptions, segment, type WriteOptions } from "./reader.ts";
import { trackingRequestKind } from "./record-kinds.ts";

export interface TrackingRequestFilters {
  readonly status?: FilterValue;
  readonly requestType?: FilterValue;
  readonly requestNumber?: FilterValue;
  readonly scac?: FilterValue;
  /** Part of a number or of a reference number; finds up to 200 requests. */
  readonly search?: string | undefined;
  readonly createdFrom?: string | Date | undefined;
  readonly createdTo?: string | Date | undefined;
  readonly updatedFrom?: string | Date | undefined;
  readonly updatedTo?: string | Date | undefined;
  /** True: failed requests that need no action any more. False: all others. */
  readonly resolved?: boolean | undefined;
  /** False: pending requests that wait until their carrier is connected. */
  readonly carrierConnected?: boolean | undefined;
}

export type TrackingRequestListParameters = PageParameters & { readonly filter?: TrackingRequestFilters | undefined };

/** The bounds of a time are two parameters of one filter: `filter[created_at][start]` and `[end]`. */
function toQuery({ createdFrom, createdTo, updatedFrom, updatedTo, ...rest }: TrackingRequestFilters = {}) {
  return {
    ...filterQuery({ ...rest }),
    ...boundsQuery("created_at", createdFrom, createdTo),
    ...boundsQuery("updated_at", updatedFrom, updatedTo),
  };
}

/** A custom field to set. Without a value, the default of its definition applies. */
export interface InitialCustomField {
  readonly apiSlug: string;
  readonly value?: CustomFieldValue | undefined;
}

export interface NewTrackingRequest {
  readonly requestType: RequestType;
  readonly requestNumber: string;
  /** Required unless `autoDetectScac`. */
  readonly scac?: string | undefined;
  readonly autoDetectScac?: boolean | undefined;
  /** Copied to the shipment and its containers. */
  readonly refNumbers?: readonly string[] | undefined;
  readonly shipmentTags?: readonly string[] | undefined;
  /** Set when the shipment and its containers are made. */
  readonly initialCustomFields?:
    | {
        readonly shipment?: readonly InitialCustomField[] | undefined;
        /** Fields of every container, or, with a number, of that container only. */
        readonly containers?: readonly (InitialCustomField & { readonly number?: string | undefined })[] | undefined;
      }
    | undefined;
  /** A party. */
  readonly customerId?: string | undefined;
}

/** Kind of a number and the carrier that it belongs to (docs/contract/reference.md 1.1.2). */
export type InferredNumber = InferNumberDocument;

/** Outcome of one request of a bulk creation: `id` of the created request, or the reason of its refusal. */
export interface BulkOutcome {
  readonly status: string;
  readonly id?: string;
  readonly errors?: readonly { readonly code: string; readonly detail: string }[];
}

export interface BulkResult {
  readonly data: readonly TrackingRequestResource[];
  /** One outcome for each request, in order. */
  readonly meta: { readonly created: number; readonly refused: number; readonly outcomes: readonly BulkOutcome[] };
}

function toInitialFields({ shipment, containers }: NonNullable<NewTrackingRequest["initialCustomFields"]>) {
  return {
    shipment: shipment?.map(({ apiSlug, value }) => ({ api_slug: apiSlug, value })),
    containers: containers?.map(({ apiSlug, value, number }) => ({ api_slug: apiSlug, value, number })),
  };
}

function toDocument(request: NewTrackingRequest) {
  return {
    type: "tracking_request",
    attributes: {
      request_type: request.requestType,
      request_number: request.requestNumber,
      scac: request.scac,
      auto_detect_vocc_scac: request.autoDetectScac,
      ref_numbers: request.refNumbers,
      shipment_tags: request.shipmentTags,
      initial_custom_fields: request.initialCustomFields && toInitialFields(request.initialCustomFields),
    },
    ...(request.customerId !== undefined && {
      relationships: { customer: { data: { type: "party", id: request.customerId } } },
    }),
  };
}

export function trackingRequestsResource<F extends Format>(reader: Reader<F>) {
  const root = "/tracking_requests";
  return {
    list<G extends Format = F>(parameters: TrackingRequestListParameters = {}, options?: ReadOptions<G>) {
      return reader.list(trackingRequestKind, root, toQuery(parameters.filter), parameters, options);
    },
    iterate<G extends Format = F>(
      parameters: Omit<TrackingRequestListParameters, "page"> = {},
      options?: ReadOptions<G>,
    ) {
      return reader.iterate(trackingRequestKind, root, toQuery(parameters.filter), parameters, options);
    },
    get<G extends Format = F>(id: string, options?: ReadOptions<G>) {
      return reader.one(trackingRequestKind, { method: "GET", path: `${root}/${segment(id)}` }, options);
    },
    /** ValidationError with code `duplicate` and `meta.tracking_request_id` when the number is tracked already. */
    create<G extends Format = F>(request: NewTrackingRequest, options?: CreateOptions<G>) {
      const body = { data: toDocument(request) };
      return reader.one(trackingRequestKind, { method: "POST", path: root, body }, options);
    },
    /** Creates up to 500 requests. Each is decided on its own, and the response has the outcome of each. */
    async createBulk(
      requests: readonly NewTrackingRequest[],
      options?: CallOptions & { readonly idempotencyKey?: string | undefined },
    ): Promise<BulkResult> {
      const body = { data: requests.map(toDocument) };
      const { idempotencyKey } = options ?? {};
      const response = await reader.send({ method: "POST", path: `${root}/bulk`, body, idempotencyKey, options });
      return response.body as BulkResult;
    },
    update<G extends Format = F>(id: string, edit: { refNumbers: readonly string[] }, options?: WriteOptions<G>) {
      const body = { data: { type: "tracking_request", id, attributes: { ref_numbers: edit.refNumbers } } };
      return reader.one(trackingRequestKind, { method: "PATCH", path: `${root}/${segment(id)}`, body }, options);
    },
    async inferNumber(number: string, options?: CallOptions): Promise<InferredNumber> {
      const question = { path: `${root}/infer_number`, body: { number }, mediaType: "application/json" } as const;
      return (await reader.send({ method: "POST", isSafe: true, ...question, options })).body as InferredNumber;
    },
  };
}
