import { type Html, html } from "@svc/views";
import { snippet } from "../pages/snippet.ts";

/** A sample in one language that verifies the signature of a delivery. */
export interface VerifySample {
  readonly language: "TypeScript" | "Python" | "Go";
  readonly code: string;
}

const typeScript = `import { verifyWebhook } from "@svc/sdk/webhooks";

/** The event of a delivery. Throws WebhookVerificationError: answer that with 401. */
export const read = (headers: Headers, body: string | Uint8Array) =>
  verifyWebhook({ headers, body, secret: process.env.WEBHOOK_SECRET ?? "" });`;

const python = `import base64, hashlib, hmac, os, time

def is_genuine(headers, body: bytes) -> bool:
    secret = os.environ["WEBHOOK_SECRET"]
    sent = headers["webhook-timestamp"]
    if not sent.isdigit() or abs(time.time() - int(sent)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{sent}.".encode() + body
    mac = hmac.new(key, signed, hashlib.sha256).digest()
    right = "v1," + base64.b64encode(mac).decode()
    signatures = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(one, right) for one in signatures)`;

const go = `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func IsGenuine(header http.Header, body []byte) bool {
	secret := os.Getenv("WEBHOOK_SECRET")
	sent := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + sent + "."))
	mac.Write(body)
	right := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(one), []byte(right)) {
			return true
		}
	}
	return false
}`;

export const verifySamples: readonly VerifySample[] = [
  { language: "TypeScript", code: typeScript },
  { language: "Python", code: python },
  { language: "Go", code: go },
];

/** "How to verify": samples to copy into a receiver. */
export function verifyCard(): Html {
  const sample = ({ language, code }: VerifySample) => html`
    <details id="verify-${language}">
      <summary>${language}</summary>
      ${snippet({ id: `verify-code-${language}`, text: code, of: `for ${language}` })}
    </details>`;
  return html`
    <section class="card">
      <h2>How to verify</h2>
      <p class="muted">Compute the signature over the raw request body, before parsing it, with
        <code>WEBHOOK_SECRET</code>. Any Standard Webhooks library does this.</p>
      ${verifySamples.map(sample)}
    </section>`;
}
