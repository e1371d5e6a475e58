import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { notificationEnvelope } from "./notification-envelope.ts";

const envelope = {
  id: "0199f0a0-0000-7000-8000-000000000001",
  event: "tracking_request.succeeded",
  webhookId: "0199f0a0-0000-7000-8000-000000000002",
  referenceType: "tracking_request",
  referenceId: "0199f0a0-0000-7000-8000-000000000003",
  createdAt: instant("2026-11-21T10:00:00Z"),
  included: '[{"id":"0199f0a0-0000-7000-8000-000000000003","type":"tracking_request","attributes":{"n":1.0}}]',
} as const;

test("the unique id is at data.id, and the stored content is sent unchanged [spec: events.2, events.7]", () => {
  const body = notificationEnvelope(envelope);
  expect(JSON.parse(body).data.id).toBe(envelope.id);
  expect(body.endsWith(`"included":${envelope.included}}`)).toBe(true);
  expect(notificationEnvelope({ ...envelope })).toBe(body);
});
