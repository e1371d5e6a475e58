import { createHmac } from "node:crypto";
import type { Delivery } from "@svc/testkit";
import type { Resource } from "./api-client.ts";

/** A delivered notification: the envelope of docs/contract/reference.md 3.2. */
export interface Notification {
  readonly id: string;
  readonly event: string;
  readonly referenceId: string | undefined;
  readonly included: readonly Resource[];
}

export function readNotification({ body }: Delivery): Notification {
  const document = JSON.parse(body.toString("utf8")) as { data: Resource; included?: Resource[] };
  const reference = document.data.relationships?.reference_object?.data as { id: string } | undefined;
  return {
    id: document.data.id,
    event: String(document.data.attributes.event),
    referenceId: reference?.id,
    included: document.included ?? [],
  };
}

/**
 * Checks both signatures with nothing but the secret and the bytes received, as a consumer would who only read the
 * documentation (docs/contract/decisions.md 5).
 */
export function hasValidSignatures({ headers, body }: Delivery, secret: string): boolean {
  const plain = createHmac("sha256", secret).update(body).digest("hex");
  const standardKey = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`), body]);
  const standard = `v1,${createHmac("sha256", standardKey).update(signed).digest("base64")}`;
  return (
    headers["x-svc-webhook-signature"] === plain &&
    String(headers["webhook-signature"]).split(" ").includes(standard) &&
    Math.abs(Date.now() / 1000 - Number(headers["webhook-timestamp"])) < 300
  );
}
