import { createHash, createHmac, randomUUID } from "node:crypto";

/** The key pair of an application at COSCO's open platform (COP). */
interface KeyPair {
  readonly username: string;
  readonly password: string;
}

interface SignedRequest {
  readonly method: "GET";
  readonly url: URL;
  readonly nowMs?: number;
  readonly nonce?: string;
}

const signedHeaders = ["X-Coscon-Date", "X-Coscon-Digest", "X-Coscon-Content-Md5"] as const;

/**
 * The headers of a request without a body that COSCO's open platform accepts, within two minutes of their time. The
 * secret key only signs.
 */
export function copSignature(
  { username, password }: KeyPair,
  { method, url, nowMs = Date.now(), nonce = randomUUID() }: SignedRequest,
): Readonly<Record<string, string>> {
  const nonceMd5 = createHash("md5").update(nonce).digest("hex");
  const headers = {
    "X-Coscon-Date": new Date(nowMs).toUTCString(),
    "X-Coscon-Digest": `SHA-256=${createHash("sha256").digest("base64")}`,
    "X-Coscon-Content-Md5": nonceMd5,
  };
  // The headers in their order, and the request line (RFC 9112 3).
  const lines = [
    ...signedHeaders.map((name) => `${name}: ${headers[name]}`),
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
  ];
  const signature = createHmac("sha1", password).update(lines.join("\n")).digest("base64");
  const names = [...signedHeaders, "request-line"].join(" ");
  return {
    ...headers,
    "X-Coscon-Hmac": nonceMd5,
    "X-Coscon-Authorization": `hmac username="${username}",algorithm="hmac-sha1",headers="${names}",signature="${signature}"`,
  };
}
