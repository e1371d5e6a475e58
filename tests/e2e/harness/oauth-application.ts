import type { OAuthClientInformationMixed, OAuthClientProvider, OAuthTokens } from "@modelcontextprotocol/client";

export const callback = "http://127.0.0.1:39999/callback";

/** Application as the official client package requires it: it keeps its values in memory. */
export class OAuthApplication implements OAuthClientProvider {
  readonly redirectUrl = callback;
  readonly clientMetadata = { client_name: "Test assistant", redirect_uris: [callback] };
  /** URL of its own description, for a server that reads that instead of registering it. */
  clientMetadataUrl?: string;
  asked: URL | undefined;
  information: OAuthClientInformationMixed | undefined;
  given: OAuthTokens | undefined;
  #verifier = "";

  clientInformation = () => this.information;
  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.information = information;
  }
  tokens = () => this.given;
  saveTokens(tokens: OAuthTokens): void {
    this.given = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;
}
