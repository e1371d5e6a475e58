import { createHmac } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { NotificationDocument } from "@svc/jsonapi/notifications";
import { TriggerResult } from "@svc/jsonapi/webhooks";
import { startWebhookSink } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";
import { createSampleSender } from "./sample-sender.ts";

const api = started(() => startTestApi({ allowInsecureWebhookTargets: true }));
const sink = started(startWebhookSink);

const event = "tracking_request.succeeded";
const trigger = (body: object, request: object = {}) =>
  api.request("/webhooks/trigger", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: { url: sink.url, event, ...body },
    ...request,
  });

describe("POST /webhooks/trigger", () => {
  test("200: sends one sample of the event and subscribes nothing [spec: webhooks.trigger.*, events.8]", async () => {
    sink.respondWith({ status: 202, headers: { "x-received": "yes" }, body: "thank you" });
    api.takeStatements();
    const before = sink.deliveries.length;
    const { status, headers, body } = await trigger({ url: `${sink.url}/hook`, event: "container.created" });
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(TriggerResult.strict().safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ succeeded: true, error: null, status_code: 202, response_body: "thank you" });
    expect(body.response_headers["x-received"]).toBe("yes");
    expect(api.takeStatements()).toEqual([]);
    const received = sink.deliveries.slice(before);
    expect(received.map(({ path }) => path)).toEqual(["/hook"]);
    expect(received[0]?.body.toString()).toBe(body.request_body);
    expect(received[0]?.headers).toMatchObject(body.request_headers);
    const sample = JSON.parse(body.request_body);
    expect(NotificationDocument.strict().safeParse(sample).error).toBeUndefined();
    expect(sample.data.attributes.event).toBe("container.created");
    expect(body.request_headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringContaining("SVC"),
      "webhook-id": sample.data.id,
    });
    expect(Object.keys(body.request_headers).filter((name) => name.includes("ignature"))).toEqual([]);
  });

  test("403: nothing is sent of an event of a paid feature that the account does not have", async () => {
    const before = sink.deliveries.length;
    const rail = { event: "container.pickup_lfd_rail.changed" };
    const { status, body } = await trigger(rail);
    expect([status, body.errors[0].code, body.errors[0].source]).toEqual([
      403,
      "feature_not_enabled",
      { pointer: "/event" },
    ]);
    expect(sink.deliveries.length).toBe(before);
    const { token } = await api.createAccount({ features: ["rail_deadlines"] });
    sink.respondWith({ status: 200 });
    expect((await trigger(rail, { token })).body.succeeded).toBe(true);
  });

  test("200: with a secret it is signed as deliveries are [spec: webhooks.trigger.secret, authentication.5]", async () => {
    sink.respondWith({ status: 200 });
    const secret = `whsec_${Buffer.from("a key of the receiver").toString("base64")}`;
    const { body } = await trigger({ secret });
    const received = sink.deliveries.at(-1);
    const bytes = received?.body ?? Buffer.alloc(0);
    expect(received?.headers["x-svc-webhook-signature"]).toBe(createHmac("sha256", secret).update(bytes).digest("hex"));
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": standard } = received?.headers ?? {};
    const mac = createHmac("sha256", "a key of the receiver").update(`${id}.${timestamp}.${bytes}`).digest("base64");
    expect(standard).toBe(`v1,${mac}`);
    expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(60);
    expect(body.request_headers["X-SVC-Webhook-Signature"]).toBe(received?.headers["x-svc-webhook-signature"]);
  });

  test.each([200, 201, 202, 204])("200: %i means received", async (status) => {
    sink.respondWith({ status });
    expect((await trigger({})).body).toMatchObject({ succeeded: true, error: null, status_code: status });
  });

  test.each([203, 301, 400, 410, 500])(
    "200: %i means that the target failed, and no redirect is followed",
    async (response) => {
      sink.respondWith({ status: response, headers: { Location: `${sink.url}/elsewhere` } });
      const before = sink.deliveries.length;
      const { status, body } = await trigger({});
      expect([status, body.succeeded, body.status_code]).toEqual([200, false, response]);
      expect(body.error).toContain(String(response));
      expect(sink.deliveries).toHaveLength(before + 1);
    },
  );

  test("200: an unreachable receiver is a result too", async () => {
    const gone = await startWebhookSink();
    await gone.close();
    const { status, body } = await trigger({ url: gone.url });
    expect([status, body]).toMatchObject([
      200,
      { succeeded: false, status_code: null, response_headers: {}, response_body: null },
    ]);
    expect(body.error).toMatch(/connection failed/i);
  });

  test("the same Idempotency-Key sends once", async () => {
    sink.respondWith({ status: 200 });
    const before = sink.deliveries.length;
    const headers = { "Content-Type": "application/json", "Idempotency-Key": "sample-1" };
    const [first, second] = [await trigger({}, { headers }), await trigger({}, { headers })];
    expect(second.body).toEqual(first.body);
    expect(sink.deliveries).toHaveLength(before + 1);
  });

  test.each([
    ["url missing", { url: undefined }, "/url"],
    ["no address", { url: "nonsense" }, "/url"],
    ["another scheme", { url: "ftp://example.com" }, "/url"],
    ["credentials", { url: "https://user:pass@example.com" }, "/url"],
    ["a private network", { url: "https://10.0.0.1/x" }, "/url"],
    ["metadata", { url: "http://169.254.169.254/latest" }, "/url"],
    ["event missing", { event: undefined }, "/event"],
    ["an unknown event", { event: "container.lost" }, "/event"],
    ["an empty secret", { secret: "" }, "/secret"],
    ["a secret with a lone surrogate", { secret: "a\ud800" }, "/secret"],
    ["an unknown member", { webhook: "x" }, "/webhook"],
  ])("422: %s, and nothing is sent", async (_name, change, pointer) => {
    const before = sink.deliveries.length;
    const { status, body } = await trigger(change);
    expect([status, body.errors[0].source]).toEqual([422, { pointer }]);
    expect(sink.deliveries).toHaveLength(before);
  });

  test("401 without a token, 403 with one that may only read, 405 for another method", async () => {
    expect((await trigger({}, { token: null })).status).toBe(401);
    expect((await trigger({}, { token: api.account.readToken })).status).toBe(403);
    expect((await api.request("/webhooks/trigger")).status).toBe(405);
  });
});

test("sends no sample over http or to the machine itself where http is not allowed", async () => {
  const strict = await startTestApi();
  try {
    for (const url of [sink.url, sink.url.replace("http:", "https:"), "https://localhost/x", "https://intranet/x"]) {
      const response = await strict.request("/webhooks/trigger", { method: "POST", body: { url, event } });
      expect([response.status, response.body.errors[0].source]).toEqual([422, { pointer: "/url" }]);
    }
  } finally {
    await strict.close();
  }
});

test("a stop cuts off a sample whose receiver is silent", async () => {
  const samples = createSampleSender({ allowInsecureTargets: true });
  sink.respondWith({ status: 200, afterMs: 60_000 });
  const before = sink.deliveries.length;
  const exchange = samples.post({ url: `${sink.url}/silent`, headers: {}, body: "{}" });
  await sink.delivery("the sample", ({ path }) => path === "/silent");
  await samples.close();
  expect((await exchange).error?.fault).toBe("interrupted");
  expect(sink.deliveries).toHaveLength(before + 1);
});
