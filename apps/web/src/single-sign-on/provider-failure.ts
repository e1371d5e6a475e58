import { EgressError } from "@svc/egress";
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from "openid-client";

/** Why a sign-in by a provider failed. */
export interface SignInFailure {
  readonly status: number;
  /** Code for the log, without values of the request. */
  readonly reason: string;
  /** Sentence for the user. */
  readonly problem: string;
}

/** Codes of the protocol; a provider could send any text. */
const safeCode = (text: string): string => (/^[a-z_]{1,50}$/.test(text) ? text : "unknown");

const operatorChecks = "The operator of this service has to check";

function refusal(label: string, error: string): SignInFailure {
  const reason = `authorization_${safeCode(error)}`;
  if (error === "access_denied") {
    return { status: 403, reason, problem: `${label} refused the sign-in, or you cancelled it there.` };
  }
  const problem = `${label} refused the sign-in (${safeCode(error)}). Try again, or ask the operator of this service.`;
  return { status: 502, reason, problem };
}

function codeExchange(label: string, error: string): SignInFailure {
  const reason = `token_${safeCode(error)}`;
  if (error === "invalid_grant") {
    return { status: 400, reason, problem: `The sign-in at ${label} has expired, or was used before. Start again.` };
  }
  const problem = `${label} does not accept this service. ${operatorChecks} the client id and the client secret.`;
  return { status: 502, reason, problem };
}

const clock = "OAUTH_JWT_TIMESTAMP_CHECK_FAILED";
const noMetadata = new Set([
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_PARSE_ERROR",
  "OAUTH_MISSING_SERVER_METADATA",
  "OAUTH_INVALID_SERVER_METADATA",
]);
const unanswered = new Set(["OAUTH_TIMEOUT", "OAUTH_ABORT"]);

/** The network did not carry the request: the errors of `fetch` and of the library have the reason as their cause. */
function networkReason(error: unknown): string | null {
  if (error instanceof EgressError) return error.fault;
  if (!(error instanceof Error) || error.cause === undefined) return null;
  return networkReason(error.cause) ?? (error instanceof TypeError ? "connection_failed" : null);
}

/** Explains an error of a request to the provider, or of the check of its response. */
export function providerFailure(label: string, error: unknown): SignInFailure {
  if (error instanceof AuthorizationResponseError) return refusal(label, error.error);
  if (error instanceof ResponseBodyError) return codeExchange(label, error.error);
  // A response with 401 has its error in a header, which the library reads in place of the body.
  if (error instanceof WWWAuthenticateChallengeError) return codeExchange(label, "invalid_client");
  const code = error instanceof ClientError ? (error.code ?? "") : "";
  const network = unanswered.has(code) ? "timeout" : networkReason(error);
  if (network === "blocked_address") {
    const problem = `${label} is at an address that this service does not call. ${operatorChecks} "networks".`;
    return { status: 502, reason: network, problem };
  }
  if (network !== null) {
    return {
      status: 502,
      reason: network,
      problem: `${label} cannot be reached at the moment. Try again in a minute.`,
    };
  }
  if (code === clock) {
    const problem = `The clocks of ${label} and of this service differ too much. ${operatorChecks} them.`;
    return { status: 502, reason: "clock", problem };
  }
  if (noMetadata.has(code)) {
    const problem = `${label} does not answer as an OpenID Connect provider. ${operatorChecks} the issuer.`;
    return { status: 502, reason: code.toLowerCase(), problem };
  }
  const reason = code === "" ? "invalid_response" : code.toLowerCase();
  return { status: 502, reason, problem: `The response of ${label} is not valid for this sign-in. Start again.` };
}
