import { isSecret, sha256 } from "@svc/persistence";
import type { Request } from "express";

/** SHA-256 of the secret of a mailed link; null: the path has none. */
export function readSecretHash(request: Request): Buffer | null {
  const secret = String(request.params.secret);
  return isSecret(secret) ? sha256(secret) : null;
}
