import { errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import { z } from "zod";

/** OpenID Connect Back-Channel Logout 1.0, 2.4: what makes a token one of logout. */
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";
/** A provider sends the token at once. Identifiers of used tokens are kept for as long. */
const acceptedSeconds = 600;

const name = z.string().min(1).max(1_000);

const LogoutClaims = z
  .object({
    iss: z.string(),
    iat: z.number(),
    exp: z.number(),
    jti: name,
    sub: name.optional(),
    sid: name.optional(),
    events: z.object({ [logoutEvent]: z.looseObject({}) }),
    // An ID token has one: it is never taken for a logout token.
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => (sub ?? sid) !== undefined, { path: ["sub"] });

export interface LogoutClaims {
  readonly issuer: string;
  readonly subject: string | null;
  /** The session at the provider. */
  readonly providerSession: string | null;
  readonly tokenId: string;
  /** Milliseconds since 1970 from which the token is refused. */
  readonly untilMs: number;
}

/** A logout token that is not valid; `reason` is a code without values of the token, for the log and the provider. */
export class LogoutTokenError extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`The logout token is not valid: ${reason}.`);
    this.reason = reason;
  }
}

export interface LogoutTokenChecks {
  readonly issuer: string;
  readonly clientId: string;
  readonly keys: JWTVerifyGetKey;
  readonly algorithms: readonly string[];
  readonly clockToleranceSeconds: number;
}

/** The verified claims. Throws `LogoutTokenError`, and what reading the keys throws. */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId, keys, algorithms, clockToleranceSeconds }: LogoutTokenChecks,
): Promise<LogoutClaims> {
  const verified = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: [...algorithms],
    clockTolerance: clockToleranceSeconds,
    maxTokenAge: acceptedSeconds,
    requiredClaims: ["exp"],
  }).catch((error: unknown) => {
    throw invalidityReason(error);
  });
  const claims = LogoutClaims.safeParse(verified.payload);
  if (!claims.success) throw new LogoutTokenError(`claim_${String(claims.error.issues[0]?.path[0])}`);
  const { iss, sub = null, sid = null, jti, iat, exp } = claims.data;
  const endsAt = Math.min(exp, iat + acceptedSeconds) + clockToleranceSeconds;
  return { issuer: iss, subject: sub, providerSession: sid, tokenId: jti, untilMs: endsAt * 1_000 };
}

/** The errors of a token, apart from those of reading the keys. */
function invalidityReason(error: unknown): unknown {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired) {
    return new LogoutTokenError(`claim_${error.claim}`);
  }
  const isTokenError =
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys;
  return isTokenError ? new LogoutTokenError(error.code.toLowerCase().replace("err_", "")) : error;
}
