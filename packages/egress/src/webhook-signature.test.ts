import { createHmac, timingSafeEqual } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { createWebhookSigner, type SignedMessage } from "./webhook-signature.ts";

/** A receiver written from the Standard Webhooks specification, independent of our sender. */
function verifiesStandard(secret: string, headers: Record<string, string>, body: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const mac = createHmac("sha256", key);
  mac.update(String(headers["webhook-id"]));
  mac.update(".");
  mac.update(String(headers["webhook-timestamp"]));
  mac.update(".");
  mac.update(body);
  const expected = mac.digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .map((signature) => signature.split(","))
    .filter(([version]) => version === "v1")
    .map(([, value = ""]) => Buffer.from(value, "base64"))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

const signed = (message: SignedMessage, secrets: readonly string[]) => createWebhookSigner(secrets)(message);

const secretOf = (byte: number) => `whsec_${Buffer.alloc(24, byte).toString("base64")}`;
const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestampSeconds: 1614265330, body: '{"test": 2432232314}' };

describe("signatures", () => {
  test("matches the published example of Standard Webhooks", () => {
    const headers = signed(message, ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]);
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  test("a body verifies with its own secret and no other", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.uuid(), fc.integer({ min: 0, max: 255 }), (body, id, byte) => {
        const headers = signed({ id, body, timestampSeconds: 1_800_000_000 }, [secretOf(byte)]);
        return (
          verifiesStandard(secretOf(byte), headers, body) &&
          !verifiesStandard(secretOf((byte + 1) % 256), headers, body) &&
          !verifiesStandard(secretOf(byte), headers, `${body} `)
        );
      }),
    );
  });

  test("during a rotation both secrets verify, in both schemes", () => {
    const [current, previous] = [secretOf(1), secretOf(2)];
    const headers = signed(message, [current, previous]);
    expect(verifiesStandard(current, headers, message.body)).toBe(true);
    expect(verifiesStandard(previous, headers, message.body)).toBe(true);
    expect(headers["X-SVC-Webhook-Signature"]).toBe(
      [current, previous].map((key) => createHmac("sha256", key).update(message.body).digest("hex")).join(","),
    );
  });

  test("a secret without the prefix is used as the key, and without a secret nothing is signed", () => {
    const headers = signed(message, ["my own secret"]);
    expect(headers["X-SVC-Webhook-Signature"]).toMatch(/^[0-9a-f]{64}$/);
    const unsigned = signed(message, []);
    expect(Object.keys(unsigned)).toEqual(["webhook-id", "webhook-timestamp"]);
  });
});
