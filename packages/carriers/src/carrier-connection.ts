import { z } from "zod";
import { CarrierCredentials, CredentialHeaders } from "./carrier-credentials.ts";
import { catalogue, withCatalogueEntry } from "./catalogue/catalogue.ts";
import { QuirkProfile } from "./dcsa/quirk-profile.ts";

const baseUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .refine((value) => {
    const { search, hash, username, password } = new URL(value);
    return search === "" && hash === "" && username === "" && password === "";
  }, "must have no query, fragment or credentials; credentials belong in headers")
  .transform((value) => value.replace(/\/+$/, ""));

/**
 * How one shipping line is reached. Headers carry the credentials, for example
 * `{"X-IBM-Client-Id": "…", "X-IBM-Client-Secret": "…"}`, so an object of this type must not be logged.
 */
export const CarrierConnection = z.strictObject({
  scac: z.string().regex(/^[A-Z]{2,4}$/, "must be two to four capital letters"),
  /** DCSA Track & Trace. 3.0 is not final: its names still changed in 2026. */
  protocol: z.enum(["dcsa-2.2", "dcsa-3"]),
  baseUrl,
  /** Sent with every question, whoever asks. */
  headers: CredentialHeaders.default({}),
  /** The service's own, with which the carrier is asked for every account that has none. */
  credentials: CarrierCredentials.prefault({ kind: "none" }),
  /** True: asked only for accounts that have credentials of their own. */
  ownCredentialsOnly: z.boolean().default(false),
  /** Where OAuth2 client credentials are exchanged for tokens. */
  tokenUrl: baseUrl.nullable().default(null),
  /** Where the token request carries client id and secret (RFC 6749 2.3.1): in the Authorization header or in the form body. */
  clientAuthentication: z.enum(["basic", "body"]).default("basic"),
  /** Of the token request, where the credentials name none. */
  scope: z.string().max(1_000).nullable().default(null),
  /** What the carrier allows one credential. */
  limits: z
    .strictObject({
      perSecond: z.number().positive().max(10_000).nullable().default(null),
      perMinute: z.number().positive().max(600_000).nullable().default(null),
      perHour: z.number().positive().max(36_000_000).nullable().default(null),
      perDay: z.int().positive().nullable().default(null),
    })
    .prefault({}),
  profile: QuirkProfile.prefault({}),
  /** For each request, its body included. */
  timeoutMs: z.int().min(100).max(120_000).default(10_000),
  /** For all pages of a reply together. */
  maxBodyBytes: z
    .int()
    .min(1_024)
    .max(200 * 1024 * 1024)
    .default(20 * 1024 * 1024),
});
/** As the configuration writes it, defaults left out. */
export type CarrierConnectionInput = z.input<typeof CarrierConnection>;
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
 * The text of `SVC_CARRIERS`: a JSON array of connections, each written out or completed from the catalogue. Its error messages name the place and never a value, because
 * values are credentials.
 */
export const CarrierConnectionList = z.string().transform((text, context): CarrierConnection[] => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message: "is not JSON" });
    return z.NEVER;
  }
  const completed = Array.isArray(value) ? value.map(withCatalogueEntry) : value;
  const unknown = Array.isArray(completed) ? completed.indexOf(undefined) : -1;
  if (unknown >= 0) {
    const known = catalogue.map(({ scac }) => scac).join(", ");
    context.addIssue({ code: "custom", message: `at ${unknown}.catalogue: must be one of ${known}` });
    return z.NEVER;
  }
  const result = list.safeParse(completed);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const place = issue.path.length > 0 ? `at ${issue.path.join(".")}: ` : "";
    context.addIssue({ code: "custom", message: `${place}${issue.message}` });
  }
  return z.NEVER;
});
