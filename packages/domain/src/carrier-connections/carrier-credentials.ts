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
    };

export const credentialKinds = ["none", "api_key", "basic", "oauth2_client_credentials"] as const;
export type CredentialKind = CarrierCredentials["kind"];
