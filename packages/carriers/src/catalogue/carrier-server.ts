import { z } from "zod";

const text = z.string().min(1).max(300);
const path = z.string().regex(/^\/[^?#\s]*$/, "must begin with / and hold no query");
const headers = z.array(z.string().regex(/^[A-Za-z-]+$/)).default([]);

/** The token endpoint: RFC 6749 4.4, authenticated by HTTP Basic, by form members or by RFC 7523. */
const token = z.strictObject({
  /** `:name` stands for one segment, for example a tenant. */
  path,
  client: z.enum(["basic", "body", "private_key_jwt"]),
  /** The scope that must be requested; null: any, or that of the credentials. */
  scope: text.nullable().default(null),
  /** Headers of the credentials that the token request must have, too. */
  headers,
  /** The grant type must be in the query, too. */
  grantTypeInQuery: z.boolean().default(false),
  lifeSeconds: z.int().min(1).default(3_600),
});

/** One way to authenticate, for the credential choice of this label. */
const access = z.strictObject({
  choice: text,
  headers,
  token: token.nullable().default(null),
  /** How requests are signed with the key pair of the choice; null: they are not. */
  signature: z.enum(["cop-hmac-sha1"]).nullable().default(null),
});

/** Deviations from DCSA Track & Trace 2.2 in the events themselves. */
const eventHabits = [
  /** The body is `{"events": […]}`. */
  "wrapped_body",
  /** The classifier PLN is spelled PLAN. */
  "plan_spelling",
  /** vesselIMONumber is a number. */
  "numeric_vessel_numbers",
  /** The vessel is an empty object. */
  "empty_vessels",
  /** UNLocationCode is spelled unLocationCode. */
  "lower_case_locations",
  "no_shipment_events",
  /** SHIPMENT events are ISSU and CONF only. */
  "two_shipment_events",
  "no_calls_of_transport_events",
  /** Values of references are hashed. */
  "hashed_references",
] as const;

const common = {
  access: z.array(access).min(1),
  /** Published limits of one credential; more requests are answered with 429. */
  windows: z.array(z.strictObject({ requests: z.int().min(1), seconds: z.int().min(1) })).default([]),
  /** Requests at the same time; null: not limited. */
  concurrent: z.int().min(1).nullable().default(null),
  /** Error code in the body of a response with status 401. */
  unauthorizedCode: text.default("unauthorized"),
};

const dcsaServer = z.strictObject({
  ...common,
  kind: z.literal("dcsa"),
  version: z.enum(["2.2", "3"]).default("2.2"),
  eventsPath: path,
  /** The header with the next page, and whether it holds an address or a bare cursor; null: there are no pages. */
  paging: z
    .strictObject({ header: text, value: z.enum(["address", "cursor"]) })
    .nullable()
    .default({ header: "Next-Page", value: "address" }),
  /** Parameters that are answered with 400. */
  refusedParameters: z.array(text).default([]),
  /** The answer for a number that the line does not know: 404, or 200 with an empty list. */
  unknownNumber: z.union([z.literal(200), z.literal(404)]),
  /** A bill of lading with its printed prefix: is understood, is unknown, or fails with 500. */
  prefixedBill: z.enum(["accepted", "unknown", "fails"]).default("accepted"),
  habits: z.array(z.enum(eventHabits)).default([]),
});

/** HMM's Cargo Tracking: one object of lists, searched by booking and container, without pages. */
const hmmServer = z.strictObject({ ...common, kind: z.literal("hmm"), eventsPath: path });

/** COSCO's open platform: one document for a number of each kind, without pages. */
const coscoServer = z.strictObject({ ...common, kind: z.literal("cosco"), eventsPath: path });

/** APM Terminals' Track & Trace: the state of a container at a facility, and its events. */
const apmTerminalsServer = z.strictObject({
  ...common,
  kind: z.literal("apm-terminals"),
  eventsPath: path,
  historyPath: path,
});

/**
 * The carrier's server as its documents describe it, written down independently of `connection`. The sandbox imitates
 * it (`npm start -- --lines`), and the contract suite proves that `connection` fits.
 */
export const CarrierServer = z.discriminatedUnion("kind", [dcsaServer, hmmServer, coscoServer, apmTerminalsServer]);
export type CarrierServer = z.output<typeof CarrierServer>;
export type DcsaServer = z.output<typeof dcsaServer>;
export type ServerAccess = z.output<typeof access>;
