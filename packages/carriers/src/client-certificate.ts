import { createHash, createPrivateKey, randomUUID, sign, X509Certificate } from "node:crypto";

interface ClientCertificate {
  /** PEM. */
  readonly certificate: string;
  readonly privateKey: string;
}

const keyBitsMin = 2_048;
/** A signature with a larger key would hold up the process for seconds. */
const keyBitsMax = 8_192;

/** Returns the problem of a certificate and its key; null: they can be used. The text contains no part of them. */
export function certificateProblem(
  { certificate, privateKey }: ClientCertificate,
  nowMs: number,
): { readonly member: "certificate" | "privateKey"; readonly problem: string } | null {
  let read: X509Certificate;
  try {
    read = new X509Certificate(certificate);
  } catch {
    return {
      member: "certificate",
      problem: "is not a PEM certificate, which begins with -----BEGIN CERTIFICATE-----",
    };
  }
  try {
    const key = createPrivateKey(privateKey);
    const bits = key.asymmetricKeyType === "rsa" ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : 0;
    if (bits < keyBitsMin || bits > keyBitsMax) {
      return { member: "privateKey", problem: `must be an RSA key of ${keyBitsMin} to ${keyBitsMax} bits` };
    }
    if (!read.checkPrivateKey(key)) return { member: "privateKey", problem: "does not belong to the certificate" };
  } catch {
    return { member: "privateKey", problem: "is not a PEM private key without passphrase" };
  }
  const isExpired = read.validToDate.getTime() <= nowMs;
  return isExpired
    ? { member: "certificate", problem: `expired on ${read.validToDate.toISOString().slice(0, 10)}` }
    : null;
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

const validForSeconds = 300;

/**
 * A signed assertion for a token endpoint (RFC 7523): RS256, with the SHA-1 thumbprint of the certificate as `x5t`, as
 * Microsoft Entra ID requires it. Throws when certificate or key cannot be read.
 */
export function clientAssertion(
  { clientId, certificate, privateKey }: ClientCertificate & { readonly clientId: string },
  audience: string,
  nowMs: number,
): string {
  const x5t = createHash("sha1").update(new X509Certificate(certificate).raw).digest("base64url");
  const now = Math.floor(nowMs / 1_000);
  const claims = {
    aud: audience,
    iss: clientId,
    sub: clientId,
    jti: randomUUID(),
    nbf: now,
    exp: now + validForSeconds,
  };
  const signed = `${part({ alg: "RS256", typ: "JWT", x5t })}.${part(claims)}`;
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), privateKey).toString("base64url")}`;
}
