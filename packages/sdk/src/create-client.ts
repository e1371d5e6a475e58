import { UsageError } from "./errors.ts";
import type { Format } from "./format.ts";
import { createTransport, type FetchLike } from "./http/transport.ts";
import { alertSubscriptionsResource } from "./resources/alert-subscriptions.ts";
import { auditEventsResource } from "./resources/audit-events.ts";
import { carrierConnectionsResource, carriersResource } from "./resources/carrier-connections.ts";
import { containersResource } from "./resources/containers.ts";
import { customFieldsResource } from "./resources/custom-fields.ts";
import { demurrageRulesResource } from "./resources/demurrage-rules.ts";
import { ediFilesResource } from "./resources/edi-files.ts";
import { emissionFactorsResource } from "./resources/emission-factors.ts";
import { etaAccuracyResource } from "./resources/eta-accuracy.ts";
import { eventImportsResource } from "./resources/event-imports.ts";
import { exceptionsResource } from "./resources/exceptions.ts";
import { exportsResource } from "./resources/exports.ts";
import { notificationsResource } from "./resources/notifications.ts";
import { overviewsResource } from "./resources/overviews.ts";
import { partiesResource } from "./resources/parties.ts";
import { createReader } from "./resources/reader.ts";
import {
  metroAreasResource,
  portsResource,
  shippingLinesResource,
  terminalsResource,
  vesselsResource,
} from "./resources/reference-data.ts";
import { savedViewsResource } from "./resources/saved-views.ts";
import { searchResource } from "./resources/search.ts";
import { shareLinksResource } from "./resources/share-links.ts";
import { shipmentsResource } from "./resources/shipments.ts";
import { trackingRequestsResource } from "./resources/tracking-requests.ts";
import { transitTimesResource } from "./resources/transit-times.ts";
import { webhooksResource } from "./resources/webhooks.ts";

export interface ClientOptions<F extends Format = "raw"> {
  /** `svc_live_…`. A value that names its scheme (`Token …`, `Bearer …`) is sent as it is. */
  readonly token: string;
  /**
   * Address of the API with the version prefix; `http://localhost:4000/v2` by default. `/v2` is added to an address
   * without a path.
   */
  readonly baseUrl?: string | undefined;
  /** Format of every response, unless a call sets its own; `raw` by default. */
  readonly format?: F | undefined;
  /** Repetitions after the first attempt; 2 by default. */
  readonly maxRetries?: number | undefined;
  /** Timeout of each attempt. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Ends every call of the client, as the signal of a call ends that one. */
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: FetchLike | undefined;
}

const defaultBaseUrl = "http://localhost:4000/v2";

function parseBaseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:/i.test(text)) throw new UsageError("baseUrl is not an http or https address.");
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path === "" ? "/v2" : path}`;
}

function authorizationHeader(token: string): string {
  const text = token.trim();
  if (text === "") throw new UsageError("token is empty. Create one in the dashboard, under API tokens.");
  return /^(token|bearer) /i.test(text) ? text : `Token ${text}`;
}

/** One member for each kind of record; `search` is a call by itself. */
export interface Client<F extends Format = "raw"> {
  readonly shipments: ReturnType<typeof shipmentsResource<F>>;
  readonly containers: ReturnType<typeof containersResource<F>>;
  readonly trackingRequests: ReturnType<typeof trackingRequestsResource<F>>;
  readonly shippingLines: ReturnType<typeof shippingLinesResource<F>>;
  readonly alertSubscriptions: ReturnType<typeof alertSubscriptionsResource<F>>;
  readonly carriers: ReturnType<typeof carriersResource<F>>;
  readonly carrierConnections: ReturnType<typeof carrierConnectionsResource<F>>;
  readonly demurrageRules: ReturnType<typeof demurrageRulesResource<F>>;
  readonly ediFiles: ReturnType<typeof ediFilesResource<F>>;
  readonly emissionFactors: ReturnType<typeof emissionFactorsResource<F>>;
  readonly eventImports: ReturnType<typeof eventImportsResource<F>>;
  readonly transitTimes: ReturnType<typeof transitTimesResource<F>>;
  readonly etaAccuracy: ReturnType<typeof etaAccuracyResource<F>>;
  readonly overviews: ReturnType<typeof overviewsResource<F>>;
  readonly exceptions: ReturnType<typeof exceptionsResource<F>>;
  readonly savedViews: ReturnType<typeof savedViewsResource<F>>;
  readonly auditEvents: ReturnType<typeof auditEventsResource<F>>;
  readonly shareLinks: ReturnType<typeof shareLinksResource<F>>;
  readonly exports: ReturnType<typeof exportsResource>;
  readonly webhooks: ReturnType<typeof webhooksResource<F>>;
  readonly notifications: ReturnType<typeof notificationsResource<F>>;
  readonly ports: ReturnType<typeof portsResource<F>>;
  readonly terminals: ReturnType<typeof terminalsResource<F>>;
  readonly vessels: ReturnType<typeof vesselsResource<F>>;
  readonly metroAreas: ReturnType<typeof metroAreasResource<F>>;
  readonly parties: ReturnType<typeof partiesResource<F>>;
  readonly customFields: ReturnType<typeof customFieldsResource<F>>;
  readonly search: ReturnType<typeof searchResource<F>>;
}

/**
 * A client of the HTTP API. Nothing is sent until a method is called, and it keeps no state between calls. Throws
 * UsageError for options that cannot work.
 */
export function createClient<F extends Format = "raw">(options: ClientOptions<F>): Client<F> {
  const transport = createTransport({
    baseUrl: parseBaseUrl(options.baseUrl ?? defaultBaseUrl),
    authorization: authorizationHeader(options.token),
    maxRetries: options.maxRetries ?? 2,
    timeoutMs: options.timeoutMs ?? 30_000,
    signal: options.signal,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  });
  const reader = createReader(transport, (options.format ?? "raw") as F);
  return {
    shipments: shipmentsResource(reader),
    containers: containersResource(reader),
    trackingRequests: trackingRequestsResource(reader),
    shippingLines: shippingLinesResource(reader),
    alertSubscriptions: alertSubscriptionsResource(reader),
    carriers: carriersResource(reader),
    carrierConnections: carrierConnectionsResource(reader),
    demurrageRules: demurrageRulesResource(reader),
    ediFiles: ediFilesResource(reader),
    emissionFactors: emissionFactorsResource(reader),
    eventImports: eventImportsResource(reader),
    transitTimes: transitTimesResource(reader),
    etaAccuracy: etaAccuracyResource(reader),
    overviews: overviewsResource(reader),
    exceptions: exceptionsResource(reader),
    savedViews: savedViewsResource(reader),
    auditEvents: auditEventsResource(reader),
    shareLinks: shareLinksResource(reader),
    exports: exportsResource(reader),
    webhooks: webhooksResource(reader),
    notifications: notificationsResource(reader),
    ports: portsResource(reader),
    terminals: terminalsResource(reader),
    vessels: vesselsResource(reader),
    metroAreas: metroAreasResource(reader),
    parties: partiesResource(reader),
    customFields: customFieldsResource(reader),
    search: searchResource(reader),
  };
}
