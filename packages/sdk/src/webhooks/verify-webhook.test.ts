import { createHmac } from "node:crypto";
import { mock } from "node:test";
import { describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { notificationEnvelope } from "@svc/jsonapi/notifications";
import { trackingRequestResource } from "@svc/jsonapi/tracking-requests";
import { verifyWebhook } from "./verify-webhook.ts";

const secret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const oldSecret = `whsec_${Buffer.from("ffffffffffffffffffffffffffffffff").toString("base64")}`;
const nowMs = Date.parse("2026-11-21T00:00:00Z");

const request = trackingRequestResource(
  {
    id: "0197a1b2-0000-7000-8000-000000000009",
    requestType: "bill_of_lading",
    requestNumber: "MAEU123",
    normalizedNumber: "MAEU123",
    scac: "MAEU",
    refNumbers: ["Größe"],
    shipmentTags: [],
    customerId: null,
    status: "created",
    failedReason: null,
    isRetrying: false,
    retryCount: 0,
    createdByUserId: null,
    shipmentId: null,
    rowVersion: 1,
    createdAt: instant(nowMs),
    updatedAt: instant(nowMs),
  },
  "http://api.test/v2",
);
const body = notificationEnvelope({
  id: "0197a1b2-0000-7000-8000-00000000000a",
  webhookId: "0197a1b2-0000-7000-8000-00000000000b",
  event: "tracking_request.succeeded",
  referenceType: "tracking_request",
  referenceId: request.id,
  createdAt: instant(nowMs),
  included: JSON.stringify([request]),
});

const hex = (key: string, text = body) => createHmac("sha256", key).update(text).digest("hex");

function standardHeaders(key: string, atMs = nowMs, id = "msg_1"): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const signature = createHmac("sha256", Buffer.from(key.slice("whsec_".length), "base64"))
    .update(`${id}.${timestamp}.${body}`)
    .digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

const bodyOnly = (key: string) => ({ "X-SVC-Webhook-Signature": hex(key) });

describe("verifyWebhook [spec: authentication.5]", () => {
  test.each([
    ["the Standard Webhooks headers", standardHeaders(secret)],
    ["both", { ...standardHeaders(secret), ...bodyOnly(secret) }],
  ])("accepts %s and gives the typed notification", async (_name, headers) => {
    const event = await verifyWebhook({ body, headers, secret, nowMs });
    expect(event).toMatchObject({ id: "0197a1b2-0000-7000-8000-00000000000a", event: "tracking_request.succeeded" });
    if (event.event !== "tracking_request.succeeded") throw new Error("narrowing");
    // Compiles only because the event's name narrows the resource's type.
    expect(event.resource?.attributes.request_number).toBe("MAEU123");
  });

  test("accepts X-SVC-Webhook-Signature alone only from a sender declared to send no other", async () => {
    const check = { body, headers: bodyOnly(secret), secret, nowMs };
    await expect(verifyWebhook({ ...check, requireTimestamp: false })).resolves.toMatchObject({
      event: "tracking_request.succeeded",
    });
    await expect(verifyWebhook(check)).rejects.toMatchObject({ reason: "no_signature" });
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])(
    "a captured delivery does not become young again by leaving out %s",
    async (left) => {
      const captured: Record<string, string> = { ...standardHeaders(secret, nowMs - 86_400_000), ...bodyOnly(secret) };
      const { [left]: _, ...stripped } = captured;
      await expect(verifyWebhook({ body, headers: captured, secret, nowMs })).rejects.toMatchObject({
        reason: "too_old",
      });
      for (const headers of [stripped, bodyOnly(secret)]) {
        await expect(verifyWebhook({ body, headers, secret, nowMs })).rejects.toMatchObject({ reason: "no_signature" });
      }
    },
  );

  test("takes bytes, a Headers object and Node's header arrays", async () => {
    const bytes = new TextEncoder().encode(body);
    const headers = standardHeaders(secret);
    await expect(verifyWebhook({ body: bytes, headers: new Headers(headers), secret, nowMs })).resolves.toBeDefined();
    const arrays = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    await expect(verifyWebhook({ body: bytes, headers: arrays, secret, nowMs })).resolves.toBeDefined();
  });

  test("accepts either signature while a secret is rotated, on both sides", async () => {
    const { "webhook-signature": old, ...rest } = standardHeaders(oldSecret);
    const twice = { ...rest, "webhook-signature": `${standardHeaders(secret)["webhook-signature"]} ${old}` };
    for (const known of [secret, oldSecret]) {
      await expect(verifyWebhook({ body, headers: twice, secret: known, nowMs })).resolves.toBeDefined();
    }
    const check = { body, headers: bodyOnly(oldSecret), secret: [secret, oldSecret], nowMs, requireTimestamp: false };
    await expect(verifyWebhook(check)).resolves.toBeDefined();
  });

  test.each([
    ["a changed body", { body: `${body} ` }, "wrong_signature"],
    ["another secret", { secret: oldSecret }, "wrong_signature"],
    ["an empty secret", { secret: "" }, "wrong_signature"],
    ["a changed id", { headers: { ...standardHeaders(secret), "webhook-id": "msg_2" } }, "wrong_signature"],
    ["a changed timestamp", { headers: { ...standardHeaders(secret), "webhook-timestamp": "1" } }, "wrong_signature"],
    ["an old delivery", { headers: standardHeaders(secret, nowMs - 301_000) }, "too_old"],
    ["a delivery from the future", { headers: standardHeaders(secret, nowMs + 301_000) }, "too_old"],
    ["no signature", { headers: {} }, "no_signature"],
    [
      "a timestamp that is none",
      { headers: { ...standardHeaders(secret), "webhook-timestamp": "x" } },
      "malformed_signature",
    ],
    [
      "a signature that is none",
      { headers: { "x-svc-webhook-signature": "abc" }, requireTimestamp: false },
      "malformed_signature",
    ],
    ["a body-only signature", { headers: bodyOnly(secret) }, "no_signature"],
  ] as const)("refuses %s", async (_name, change, reason) => {
    const check = { body, headers: standardHeaders(secret), secret, nowMs, ...change };
    await expect(verifyWebhook(check)).rejects.toMatchObject({ name: "WebhookVerificationError", reason });
  });

  test("checks thousands of signatures at the cost of one, and ignores those of another length", async () => {
    const computed = ["sign", "verify"].map((name) => mock.method(crypto.subtle, name as "sign"));
    const signature = (length: number) => `v1,${Buffer.alloc(length, 7).toString("base64")}`;
    const headersWith = (signatures: string[]) => ({
      ...standardHeaders(secret),
      "webhook-signature": signatures.join(" "),
    });
    const check = { body, secret: [secret, oldSecret], nowMs };
    const many = headersWith(Array.from({ length: 2_000 }, () => signature(32)));
    await expect(verifyWebhook({ ...check, headers: many })).rejects.toMatchObject({ reason: "wrong_signature" });
    expect(computed.flatMap((method) => method.mock.calls)).toHaveLength(2);
    const long = headersWith([signature(31), signature(33), signature(0)]);
    await expect(verifyWebhook({ ...check, headers: long })).rejects.toMatchObject({ reason: "malformed_signature" });
    const right = headersWith([signature(33), signature(32), standardHeaders(secret)["webhook-signature"] ?? ""]);
    await expect(verifyWebhook({ ...check, headers: right })).resolves.toBeDefined();
    for (const method of computed) method.mock.restore();
  });

  test("a wrong Standard signature is not excused by a right body-only one", async () => {
    const headers = { ...standardHeaders(oldSecret), ...bodyOnly(secret) };
    await expect(verifyWebhook({ body, headers, secret, nowMs })).rejects.toMatchObject({ reason: "wrong_signature" });
  });

  test("a signed body that is no notification is refused", async () => {
    const headers = { "x-svc-webhook-signature": hex(secret, "{}") };
    const check = { body: "{}", headers, secret, requireTimestamp: false };
    await expect(verifyWebhook(check)).rejects.toMatchObject({ reason: "malformed_body" });
  });
});
