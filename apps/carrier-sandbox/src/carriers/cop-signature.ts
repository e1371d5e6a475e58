import { createHmac } from "node:crypto";
import type { Request } from "express";

const toleratedMs = 120_000;

/**
 * Whether the request has a signature of COSCO's open platform: the date, the digest of the empty body, a nonce and the
 * request line, signed with the secret key.
 */
export function isCopSigned(request: Request, keys: { readonly username: string; readonly password: string }): boolean {
  const header = (name: string) => request.get(name) ?? "";
  const { username, signature } =
    /^hmac username="(?<username>[^"]*)",algorithm="hmac-sha1",headers="X-Coscon-Date X-Coscon-Digest X-Coscon-Content-Md5 request-line",signature="(?<signature>[^"]*)"$/.exec(
      header("x-coscon-authorization"),
    )?.groups ?? {};
  const text = [
    `X-Coscon-Date: ${header("x-coscon-date")}`,
    `X-Coscon-Digest: ${header("x-coscon-digest")}`,
    `X-Coscon-Content-Md5: ${header("x-coscon-content-md5")}`,
    `${request.method} ${request.originalUrl} HTTP/${request.httpVersion}`,
  ].join("\n");
  const isCurrent = Math.abs(Date.parse(header("x-coscon-date")) - Date.now()) <= toleratedMs;
  const hasNonceDigest =
    /^[0-9a-f]{32}$/.test(header("x-coscon-hmac")) && header("x-coscon-hmac") === header("x-coscon-content-md5");
  const hasEmptyBodyDigest = header("x-coscon-digest") === "SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
  const expected = createHmac("sha1", keys.password).update(text).digest("base64");
  return isCurrent && hasNonceDigest && hasEmptyBodyDigest && username === keys.username && signature === expected;
}
