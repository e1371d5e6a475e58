import { z } from "zod";
import { certificateProblem } from "./client-certificate.ts";

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
// Visible ASCII, spaces and tabs only, against header injection.
const headerValue = /^[\t\x20-\x7e]{0,2000}$/;

export const CredentialHeaders = z.record(
  z.string().regex(headerName, "is not a header name"),
  z.string().regex(headerValue, "is not a header value"),
);

const secret = z.string().min(1).max(2_000);
const pem = z.string().min(1).max(20_000);

/** The JSON form of the domain's CarrierCredentials in configuration and storage. */
export const CarrierCredentials = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({ kind: z.literal("api_key"), headers: CredentialHeaders }),
  z.strictObject({ kind: z.literal("basic"), username: secret, password: secret }),
  z.strictObject({
    kind: z.literal("oauth2_client_credentials"),
    clientId: secret,
    clientSecret: secret,
    scope: z.string().max(1_000).nullable().default(null),
    headers: CredentialHeaders.default({}),
  }),
  z
    .strictObject({
      kind: z.literal("oauth2_private_key_jwt"),
      clientId: secret,
      tenant: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/, "must be a directory (tenant) ID or domain"),
      scope: z.string().min(1).max(1_000),
      certificate: pem,
      privateKey: pem,
    })
    .superRefine((credentials, context) => {
      // The expiry is not checked: a service whose certificate expired still starts, and the carrier rejects it.
      const found = certificateProblem(credentials, Number.NEGATIVE_INFINITY);
      if (found !== null) context.addIssue({ code: "custom", path: [found.member], message: found.problem });
    }),
]);
