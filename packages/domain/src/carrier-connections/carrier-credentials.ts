/** Credentials for a carrier's API. Must not be logged. */
export type CarrierCredentials =
  | { readonly kind: "none" }
  /** Headers that carry a key, for example `{"X-IBM-Client-Id": "…", "X-IBM-Client-Secret": "…"}`. */
  | { readonly kind: "api_key"; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  | {
      readonly kind: "oauth2_client_credentials";
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope: string | null;
      /** Some carriers require a key in addition to the token. */
      readonly headers: Readonly<Record<string, string>>;
    }
  /** A certificate registered at the token endpoint instead of a secret (RFC 7523, `private_key_jwt`). */
  | {
      readonly kind: "oauth2_private_key_jwt";
      readonly clientId: string;
      /** Replaces `{tenant}` in the address of the token endpoint. */
      readonly tenant: string;
      readonly scope: string;
      /** PEM. */
      readonly certificate: string;
      /** PEM, not encrypted. */
      readonly privateKey: string;
    };

export const credentialKinds = [
  "none",
  "api_key",
  "basic",
  "oauth2_client_credentials",
  "oauth2_private_key_jwt",
] as const;
export type CredentialKind = CarrierCredentials["kind"];
