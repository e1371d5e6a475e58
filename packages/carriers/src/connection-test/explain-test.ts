import { type ConnectionTestCode, testContainerNumber } from "@svc/domain/carrier-connections";
import type { CarrierConnection } from "../carrier-connection.ts";
import { type CatalogueEntry, catalogue } from "../catalogue/catalogue.ts";
import type { Diagnosis } from "./diagnose-reply.ts";

/** A test that sent no request, or that ended without a reply. */
export interface Unsent {
  readonly code: Extract<
    ConnectionTestCode,
    "paused" | "budget_spent" | "not_offered" | "timed_out" | "internal_error"
  >;
}

interface Terms {
  readonly name: string;
  /** The server that the sentence is about, for example `the token endpoint of Maersk (api.maersk.com)`. */
  readonly server: string;
  readonly status: string;
  /** Labels of the values that the token endpoint checks: `the client ID or the client secret`. */
  readonly values: string;
  readonly isOfToken: boolean;
  readonly isTerminal: boolean;
  readonly isFound: boolean;
  readonly isForbidden: boolean;
  readonly retry: string;
}

function formatDuration(ms: number): string {
  if (ms < 60_000) return `${Math.max(Math.ceil(ms / 1_000), 1)} s`;
  return ms < 5_400_000 ? `${Math.ceil(ms / 60_000)} minutes` : `${Math.ceil(ms / 3_600_000)} hours`;
}

/** Sentences on the outcome, and on what to do where that is the same for every carrier. */
const sentences: Readonly<Record<ConnectionTestCode, (terms: Terms) => string>> = {
  accepted: ({ name, isFound, isTerminal, status }) =>
    isFound
      ? `${name} accepted the credentials and returned ${isTerminal ? "the state" : "events"} of the test container ${testContainerNumber}.`
      : `${name} accepted the credentials. It does not know the test container ${testContainerNumber}${status}, as expected.`,
  credentials_rejected({ name, server, status, values, isOfToken, isForbidden }) {
    if (isOfToken) return `The credentials are wrong: ${server} rejected ${values}${status}.`;
    return isForbidden
      ? `${name} recognized the credentials but does not allow them to read tracking data${status}. The application may wait for approval or lack the subscription to the tracking API.`
      : `The credentials are wrong: ${server} rejected them${status}.`;
  },
  request_rejected: ({ server, status }) =>
    `${server} rejected the test request as invalid${status}, although the container number is valid. The credentials are neither confirmed nor rejected.`,
  redirected: ({ server, status }) =>
    `${server} answered with a redirect${status}, which is not followed because it could lead credentials elsewhere. The configured address is out of date, or a login page or proxy is in between.`,
  not_json: ({ server, status }) =>
    `${server} answered with a web page instead of JSON${status}. The address is wrong, the service is under maintenance, or a proxy is in between.`,
  error_in_response: ({ server, status }) =>
    `${server} answered with an error inside a successful response${status}. Check the credentials and the subscription in the carrier's portal.`,
  unreadable_response: ({ server, status, isOfToken, isTerminal }) =>
    isOfToken
      ? `${server} answered without an access token${status}.`
      : `${server} answered, but not with ${isTerminal ? "a report of containers" : "a list of DCSA events"}${status}.`,
  unexpected_status: ({ server, status }) =>
    `${server} answered unexpectedly${status}. The configured address is probably wrong.`,
  carrier_error: ({ server, status }) =>
    `${server} reported a failure of its own${status}. The credentials are neither confirmed nor rejected. Test again later.`,
  timed_out: ({ server }) =>
    `${server} did not answer in time. The carrier is slow or a firewall drops the connection. Test again later; if it happens each time, check that the tracking worker may reach this host.`,
  name_not_resolved: ({ server }) =>
    `The host name of ${server} could not be resolved. Check the DNS of the tracking worker, and the address if the operator configured it.`,
  connection_refused: ({ server }) =>
    `The connection to ${server} was refused. A firewall or egress rule of this installation forbids it, or nothing listens at this address.`,
  certificate_invalid: ({ server }) =>
    `The TLS certificate of ${server} is not valid: expired, of another host, or of an unknown authority, for example of a proxy that inspects traffic. No credentials were sent.`,
  connection_failed: ({ server }) =>
    `The connection to ${server} broke off before the response was complete. Test again.`,
  rate_limited: ({ name, status, retry }) =>
    `${name} limits the rate of requests${status}. The credentials are neither confirmed nor rejected. Test again ${retry}.`,
  paused: ({ name, retry }) =>
    `Not tested: ${name} limited the rate of requests before, and requests are paused. Test again ${retry}.`,
  budget_spent: ({ name, retry }) =>
    `Not tested: the requests that ${name} allows with these credentials are used up. Test again ${retry}.`,
  not_offered: ({ name }) =>
    `Not tested: this service has no complete address of ${name} for these credentials. The operator configures it in SVC_CARRIERS.`,
  internal_error: () =>
    "The test failed inside this service. Test again; the log of the tracking worker has the cause.",
};

const fieldsOf = (entry: CatalogueEntry): string =>
  entry.credentials
    .map(({ label, fields }) => {
      const places = fields
        .filter(({ sameAs }) => sameAs === undefined)
        .map((field) => `${field.label} (${field.where})`)
        .join(", ");
      return entry.credentials.length > 1 ? `${label}: ${places}` : places;
    })
    .join("; ");

function clientValuesOf(entry: CatalogueEntry | undefined): string {
  const fields = entry?.credentials.flatMap((choice) => choice.fields) ?? [];
  const labelOf = (names: readonly string[], other: string) =>
    fields.find(({ field }) => names.includes(field))?.label ?? other;
  return `the ${labelOf(["clientId"], "client ID")} or the ${labelOf(["clientSecret", "certificate"], "client secret")}`;
}

/** Servers accept times of tokens and signatures within a few minutes; a Date header is exact to the second. */
const toleratedClockDifferenceMs = 120_000;

function clockHintOf(diagnosis: Diagnosis | Unsent): readonly string[] {
  const differenceMs = ("clockDifferenceMs" in diagnosis && diagnosis.clockDifferenceMs) || 0;
  if (Math.abs(differenceMs) <= toleratedClockDifferenceMs) return [];
  return [
    `The clock of the tracking worker is ${formatDuration(Math.abs(differenceMs))} ${differenceMs > 0 ? "behind" : "ahead of"} that of this server: set it first, because tokens and signatures hold times.`,
  ];
}

/** Returns the hints for this carrier: its own one, and where its portal shows the values. */
function hintsOf(entry: CatalogueEntry | undefined, diagnosis: Diagnosis | Unsent): readonly string[] {
  if (entry === undefined) return [];
  const isNotFound = diagnosis.code === "accepted" && "isFound" in diagnosis && !diagnosis.isFound;
  const hint = entry.testHints[isNotFound ? "not_found" : diagnosis.code];
  const where = diagnosis.code === "credentials_rejected" ? [`Copy each value again: ${fieldsOf(entry)}.`] : [];
  return [...(hint === undefined ? [] : [hint]), ...where];
}

/**
 * Explains a diagnosis in the terms of the carrier, with hosts that the operator configured and without secrets.
 * `retryInMs`: when another test makes sense; null: unknown.
 */
export function explainTest(
  scac: string,
  connection: Pick<CarrierConnection, "baseUrl" | "tokenUrl"> | undefined,
  diagnosis: Diagnosis | Unsent,
  retryInMs: number | null = null,
): string {
  const entry = catalogue.find((each) => each.scac === scac);
  const name = entry?.name ?? scac;
  const isOfToken = "server" in diagnosis && diagnosis.server === "token_endpoint";
  const address = isOfToken ? connection?.tokenUrl : connection?.baseUrl;
  const host = address ? ` (${new URL(address).host})` : "";
  const status = "httpStatus" in diagnosis && diagnosis.httpStatus !== null ? ` (status ${diagnosis.httpStatus})` : "";
  const sentence = sentences[diagnosis.code]({
    name,
    server: `${isOfToken ? "the token endpoint" : "the API"} of ${name}${host}`,
    status,
    values: clientValuesOf(entry),
    isOfToken,
    isTerminal: entry?.kind === "terminal_operator",
    isFound: "isFound" in diagnosis && diagnosis.isFound,
    isForbidden: "httpStatus" in diagnosis && diagnosis.httpStatus === 403,
    retry: retryInMs === null ? "in a minute" : `in ${formatDuration(retryInMs)}`,
  });
  const text = [sentence, ...clockHintOf(diagnosis), ...hintsOf(entry, diagnosis)].join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
