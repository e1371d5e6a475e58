import { SvcError } from "../errors.ts";

/** Why a delivery was not accepted: respond to it with 401. */
export type WebhookRefusal = "no_signature" | "malformed_signature" | "wrong_signature" | "too_old" | "malformed_body";

export class WebhookVerificationError extends SvcError {
  override name = "WebhookVerificationError";
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Headers as any server gives them: a `Headers` object or Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface SignatureCheck {
  /** The body's bytes exactly as received; re-serialized JSON does not verify. */
  readonly body: string | Uint8Array;
  readonly headers: WebhookHeaders;
  /** `whsec_…`. Several while a secret is being rotated. */
  readonly secret: string | readonly string[];
  /** How far the delivery's timestamp may be from now. 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /**
   * Accept only signatures that cover a timestamp. Default true: an attacker with a captured delivery could replay it
   * without its `webhook-*` headers. `false` is for senders that sign the body only: such a delivery is accepted at any
   * age, and the notification id, which that signature covers, is the only protection against replays.
   */
  readonly requireTimestamp?: boolean | undefined;
  readonly nowMs?: number | undefined;
}

const encoder = new TextEncoder();
const secretPrefix = "whsec_";

function header(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return typeof value === "string" ? value : value?.[0];
}

function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function decodeHex(text: string): Uint8Array | undefined {
  if (!/^[0-9a-f]{64}$/.test(text)) return undefined;
  return Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(text.slice(index * 2, index * 2 + 2), 16));
}

const signatureLength = 32;
/** A sender has one for each of its secrets. A limit bounds the work of the receiver. */
const signaturesMax = 20;

const asSignatures = (parts: readonly (Uint8Array | undefined)[]): Uint8Array[] =>
  parts.filter((part) => part !== undefined).filter(({ length }) => length === signatureLength);

async function sign(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", new Uint8Array(key), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, new Uint8Array(message)));
}

/** Compares in constant time, so that timing reveals nothing. */
function equal(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}

/** One computation for each key, however many signatures are claimed. */
async function anyMatches(
  keys: readonly Uint8Array[],
  signatures: readonly Uint8Array[],
  message: Uint8Array,
): Promise<boolean> {
  for (const key of keys) {
    if (key.length === 0) continue;
    const right = await sign(key, message);
    if (signatures.some((signature) => equal(signature, right))) return true;
  }
  return false;
}

function standardKey(secret: string): Uint8Array {
  const decoded = secret.startsWith(secretPrefix) ? decodeBase64(secret.slice(secretPrefix.length)) : undefined;
  return decoded ?? encoder.encode(secret);
}

function concatenated(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

async function checkStandard(
  check: SignatureCheck,
  signed: { id: string; timestamp: string; signatures: string },
  secrets: readonly string[],
  body: Uint8Array,
): Promise<void> {
  const at = Number(signed.timestamp);
  const parts = signed.signatures.split(" ").filter((part) => part.startsWith("v1,"));
  const signatures = asSignatures(parts.slice(0, signaturesMax).map((part) => decodeBase64(part.slice(3))));
  if (!/^\d{1,12}$/.test(signed.timestamp) || signatures.length === 0) {
    throw new WebhookVerificationError("malformed_signature", "The webhook-* headers do not hold a v1 signature.");
  }
  const message = concatenated(encoder.encode(`${signed.id}.${signed.timestamp}.`), body);
  if (!(await anyMatches(secrets.map(standardKey), signatures, message))) {
    throw new WebhookVerificationError("wrong_signature", "webhook-signature does not fit the body and the secret.");
  }
  const ageMs = Math.abs((check.nowMs ?? Date.now()) - at * 1000);
  const toleranceSeconds = check.toleranceSeconds ?? 300;
  if (ageMs > toleranceSeconds * 1000) {
    throw new WebhookVerificationError("too_old", `webhook-timestamp is more than ${toleranceSeconds} s from now.`);
  }
}

async function checkBodyOnly(value: string, secrets: readonly string[], body: Uint8Array): Promise<void> {
  // Two signatures, separated by a comma, while a secret is being rotated.
  const parts = value.split(",").slice(0, signaturesMax);
  const signatures = asSignatures(parts.map((part) => decodeHex(part.trim())));
  if (signatures.length === 0) {
    throw new WebhookVerificationError("malformed_signature", "X-SVC-Webhook-Signature is not a hex SHA-256 HMAC.");
  }
  const keys = secrets.map((secret) => encoder.encode(secret));
  if (!(await anyMatches(keys, signatures, body))) {
    throw new WebhookVerificationError(
      "wrong_signature",
      "X-SVC-Webhook-Signature does not fit the body and the secret.",
    );
  }
}

/**
 * Checks who sent a delivery, and when (docs/contract/decisions.md 5, Signing), by the Standard Webhooks headers. Where
 * they are missing, `X-SVC-Webhook-Signature` alone is checked if `requireTimestamp` is false. Throws
 * WebhookVerificationError.
 */
export async function verifySignature(check: SignatureCheck): Promise<void> {
  const secrets = typeof check.secret === "string" ? [check.secret] : check.secret;
  const body = typeof check.body === "string" ? encoder.encode(check.body) : check.body;
  const id = header(check.headers, "webhook-id");
  const timestamp = header(check.headers, "webhook-timestamp");
  const signatures = header(check.headers, "webhook-signature");
  if (id !== undefined && timestamp !== undefined && signatures !== undefined) {
    return checkStandard(check, { id, timestamp, signatures }, secrets, body);
  }
  const bodyOnly = header(check.headers, "x-svc-webhook-signature");
  if (bodyOnly !== undefined && check.requireTimestamp === false) return checkBodyOnly(bodyOnly, secrets, body);
  const message = "The delivery lacks one of webhook-id, webhook-timestamp and webhook-signature.";
  throw new WebhookVerificationError("no_signature", message);
}
