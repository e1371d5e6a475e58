import { jsonList } from "@svc/domain/json-lists";
import { z } from "zod";
import { CarrierCredentials, CredentialHeaders } from "./carrier-credentials.ts";
import { catalogue, withCatalogueEntry } from "./catalogue/catalogue.ts";
import { QuirkProfile } from "./dcsa/quirk-profile.ts";
import { TerminalOptions } from "./terminal-operator/terminal-api.ts";

const baseUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .refine((value) => {
    const { search, hash, username, password } = new URL(value);
    return search === "" && hash === "" && username === "" && password === "";
  }, "must have no query, fragment or credentials; credentials belong in headers")
  .transform((value) => value.replace(/\/+$/, ""));

/** Some token endpoints take the grant type in the query. */
const tokenUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" }).refine((value) => {
  const { search, hash, username, password } = new URL(value);
  return ["", "?grant_type=client_credentials"].includes(search) && hash === "" && username === "" && password === "";
}, "must have no fragment, credentials or query but grant_type=client_credentials");

/** Names of the protocols: the keys of `protocols` (protocols.ts). */
const protocolNames = ["dcsa-2.2", "dcsa-3", "hmm-1", "cosco-1", "apm-terminals-1"] as const;

interface ProtocolOptions {
  /** Whose protocol it is. That of a terminal operator needs `terminal`. */
  readonly partner: "shipping line" | "terminal operator";
  /** Whether a connection may have `arrivalNoticesUrl`. */
  readonly hasArrivalNotices: boolean;
}

const protocolOptions: Readonly<Record<(typeof protocolNames)[number], ProtocolOptions>> = {
  "dcsa-2.2": { partner: "shipping line", hasArrivalNotices: true },
  // DCSA Track & Trace 3.0 is not final: its names still changed in 2026.
  "dcsa-3": { partner: "shipping line", hasArrivalNotices: true },
  "hmm-1": { partner: "shipping line", hasArrivalNotices: false },
  "cosco-1": { partner: "shipping line", hasArrivalNotices: false },
  "apm-terminals-1": { partner: "terminal operator", hasArrivalNotices: false },
};

const noticeProtocols = protocolNames.filter((name) => protocolOptions[name].hasArrivalNotices);

/**
 * Connection to one shipping line or terminal operator. Headers contain credentials, for example
 * `{"X-IBM-Client-Id": "…", "X-IBM-Client-Secret": "…"}`, so it must not be logged.
 */
export const CarrierConnection = z
  .strictObject({
    scac: z.string().regex(/^[A-Z]{2,4}$/, "must be two to four capital letters"),
    protocol: z.enum(protocolNames),
    baseUrl,
    /** Headers of every request, for every account. */
    headers: CredentialHeaders.default({}),
    /** The service's credentials, used for accounts without their own. */
    credentials: CarrierCredentials.prefault({ kind: "none" }),
    /** True: only accounts with their own credentials are polled. */
    ownCredentialsOnly: z.boolean().default(false),
    /** OAuth2 token endpoint for client credentials. */
    tokenUrl: tokenUrl.nullable().default(null),
    /** Whether the token request has client id and secret in the Authorization header or form body (RFC 6749 2.3.1). */
    clientAuthentication: z.enum(["basic", "body"]).default("basic"),
    /** Scope of the token request when the credentials have none. */
    scope: z.string().max(1_000).nullable().default(null),
    /** Signs requests with the user name and password of `basic` credentials instead of sending them. */
    requestSigning: z.enum(["cop-hmac-sha1"]).nullable().default(null),
    /** Rate limits of the carrier per credential. */
    limits: z
      .strictObject({
        perSecond: z.number().positive().max(10_000).nullable().default(null),
        perMinute: z.number().positive().max(600_000).nullable().default(null),
        perHour: z.number().positive().max(36_000_000).nullable().default(null),
        perDay: z.int().positive().nullable().default(null),
      })
      .prefault({}),
    profile: QuirkProfile.prefault({}),
    /** Address at which the line gives arrival notices by DCSA Arrival Notice 1.0; null: it gives none. */
    arrivalNoticesUrl: baseUrl.nullable().default(null),
    /** Options of a terminal operator; null: a shipping line. */
    terminal: TerminalOptions.nullable().default(null),
    /** Timeout of a request including its body. */
    timeoutMs: z.int().min(100).max(120_000).default(10_000),
    /** Total of all pages of a reply. */
    maxBodyBytes: z
      .int()
      .min(1_024)
      .max(200 * 1024 * 1024)
      .default(20 * 1024 * 1024),
  })
  .refine(
    ({ protocol, terminal }) => (protocolOptions[protocol].partner === "terminal operator") === (terminal !== null),
    {
      path: ["terminal"],
      error: "must be given for the protocol of a terminal operator, and for no other",
    },
  )
  .refine(
    ({ protocol, arrivalNoticesUrl }) => protocolOptions[protocol].hasArrivalNotices || arrivalNoticesUrl === null,
    {
      path: ["arrivalNoticesUrl"],
      error: `must be given for the protocols ${noticeProtocols.join(" and ")} only`,
    },
  );
export type CarrierConnection = z.output<typeof CarrierConnection>;

const list = z
  .array(CarrierConnection)
  .refine((connections) => new Set(connections.map((each) => each.scac)).size === connections.length, {
    error: "names a SCAC twice",
  })
  .refine((connections) => connections.every((each) => each.scac !== "TEST"), {
    error: "names TEST, which is built in",
  });

/**
 * Carriers of the catalogue with a known address that the operator did not configure, for accounts' own credentials.
 */
function unconfiguredCarriers(configured: readonly CarrierConnection[]): CarrierConnection[] {
  const scacs = new Set(configured.map(({ scac }) => scac));
  return catalogue
    .filter(({ scac, connection }) => !scacs.has(scac) && "baseUrl" in connection)
    .map(({ scac }) => CarrierConnection.parse(withCatalogueEntry({ catalogue: scac, ownCredentialsOnly: true })));
}

/** Completes connections that name a carrier of the catalogue. */
const completedList = z.unknown().transform((value, context): unknown => {
  const completed = Array.isArray(value) ? value.map(withCatalogueEntry) : value;
  const unknown = Array.isArray(completed) ? completed.indexOf(undefined) : -1;
  if (unknown < 0) return completed;
  const known = catalogue.map(({ scac }) => scac).join(", ");
  context.addIssue({ code: "custom", path: [unknown, "catalogue"], message: `must be one of ${known}` });
  return z.NEVER;
});

/**
 * The text of `SVC_CARRIERS`: a JSON array of connections, each written out or completed from the catalogue. The other
 * carriers of the catalogue follow, for accounts that connect them with credentials of their own. Error messages name
 * the place and never a value, because values are credentials.
 */
export const CarrierConnectionList = jsonList(
  completedList.pipe(list).transform((connections) => [...connections, ...unconfiguredCarriers(connections)]),
);
