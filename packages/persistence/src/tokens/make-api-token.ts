import { createHash, randomBytes } from "node:crypto";

/** A new API token; only `hint` and `tokenSha256` are stored. */
export interface MadeToken {
  readonly token: string;
  /** The last four characters, by which users distinguish tokens. */
  readonly hint: string;
  readonly tokenSha256: Buffer;
}

export function makeApiToken(): MadeToken {
  const token = `svc_live_${randomBytes(20).toString("hex")}`;
  return { token, hint: token.slice(-4), tokenSha256: createHash("sha256").update(token).digest() };
}
