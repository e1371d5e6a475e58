import { type CarrierCredentials, type CredentialKind, credentialKinds } from "@svc/domain/carrier-connections";
import { z } from "zod";
import type { WriteDocument } from "../documents/write-document.ts";
import { attributeNames } from "../resource-graph.ts";

const secret = z
  .string()
  .min(1)
  .max(2_000)
  .regex(/^[\x20-\x7e]+$/, "must be visible ASCII");

const pem = z
  .string()
  .max(20_000)
  .regex(
    /^-----BEGIN [A-Z ]+-----[\x20-\x7e\r\n]+-----END [A-Z ]+-----\s*$/,
    "must be PEM, from -----BEGIN to -----END",
  );

const headers = z
  .array(
    z.strictObject({
      name: z
        .string()
        .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/)
        .refine((name) => !/^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect)$/i.test(name), {
          error: "belongs to the connection itself",
        }),
      value: z.string().regex(/^[\x20-\x7e]{0,2000}$/),
    }),
  )
  .min(1)
  .max(10)
  .refine((list) => new Set(list.map(({ name }) => name.toLowerCase())).size === list.length, "must have unique names");

const membersByKind = {
  none: { required: [], optional: [] },
  api_key: { required: ["headers"], optional: [] },
  basic: { required: ["username", "password"], optional: [] },
  oauth2_client_credentials: { required: ["client_id", "client_secret"], optional: ["scope", "headers"] },
  oauth2_private_key_jwt: {
    required: ["client_id", "tenant", "scope", "certificate", "private_key"],
    optional: [],
  },
} as const satisfies Readonly<Record<CredentialKind, object>>;

const credentials = z
  .strictObject({
    kind: z.enum(credentialKinds),
    headers: headers
      .optional()
      .describe("Headers for api_key, and for carriers that require a key in addition to a token."),
    username: secret.optional().describe("User name for basic."),
    password: secret.optional().describe("Password for basic."),
    client_id: secret.optional().describe("Client ID for oauth2_client_credentials and oauth2_private_key_jwt."),
    client_secret: secret.optional().describe("Client secret for oauth2_client_credentials."),
    scope: z
      .string()
      .max(1_000)
      .optional()
      .describe("Scope for oauth2_client_credentials; required for oauth2_private_key_jwt."),
    tenant: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/, "must be a directory (tenant) ID or domain")
      .optional()
      .describe("Directory of the token endpoint for oauth2_private_key_jwt."),
    certificate: pem.optional().describe("Certificate for oauth2_private_key_jwt, as PEM."),
    private_key: pem
      .optional()
      .describe("RSA key of the certificate for oauth2_private_key_jwt, as PEM without passphrase."),
  })
  .superRefine(({ kind, ...given }, context) => {
    const { required, optional } = membersByKind[kind];
    const allowed: readonly string[] = [...required, ...optional];
    const complain = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    for (const name of required) if (!(name in given)) complain(name, `is missing, which ${kind} needs`);
    for (const name of Object.keys(given)) if (!allowed.includes(name)) complain(name, `does not belong to ${kind}`);
  })
  .describe("Encrypted at rest and never returned. They are sent only to URLs configured by the service's operator.");

const attributes = z.strictObject({
  scac: z.string().regex(/^[A-Z]{2,4}$/, "must be two to four capital letters"),
  credentials,
  active: z.boolean().optional(),
});

export const createCarrierConnectionDocument = {
  name: "CreateCarrierConnection",
  type: "carrier_connection",
  attributes,
  readOnly: attributeNames("carrier_connection"),
} satisfies WriteDocument;

/** Absent attributes are not changed. */
export const editCarrierConnectionDocument = {
  name: "EditCarrierConnection",
  type: "carrier_connection",
  attributes: attributes.omit({ scac: true }).partial(),
  readOnly: attributeNames("carrier_connection"),
} satisfies WriteDocument;

const toHeaders = (list: readonly { name: string; value: string }[] = []) =>
  Object.fromEntries(list.map(({ name, value }) => [name, value]));

export function toCredentials(written: z.output<typeof credentials>): CarrierCredentials {
  const { kind, username = "", password = "", client_id = "", client_secret = "", scope = null } = written;
  switch (kind) {
    case "none":
      return { kind };
    case "api_key":
      return { kind, headers: toHeaders(written.headers) };
    case "basic":
      return { kind, username, password };
    case "oauth2_client_credentials":
      return { kind, clientId: client_id, clientSecret: client_secret, scope, headers: toHeaders(written.headers) };
    case "oauth2_private_key_jwt": {
      const { tenant = "", certificate = "", private_key: privateKey = "" } = written;
      return { kind, clientId: client_id, tenant, scope: scope ?? "", certificate, privateKey };
    }
  }
}
