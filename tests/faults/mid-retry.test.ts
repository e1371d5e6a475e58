import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Delivery, eventually } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { type ApiProcess, firstSecret, startDeliveryHarness } from "./delivery-harness.ts";

const longestFirstRetryMs = 6_000;

const signedWith = ({ headers, body }: Delivery): readonly string[] =>
  String(headers["x-svc-webhook-signature"])
    .split(",")
    .filter((signature) => signature !== "" && body.length > 0);
const signature = (secret: string, body: Buffer) => createHmac("sha256", secret).update(body).digest("hex");

/** Every webhook fails once, is changed through the API, and then its first retry is due. */
describe("a webhook that changes between two attempts", () => {
  let api: ApiProcess;
  const names = ["rotated", "moved", "deleted", "disabled", "in flight", "control"] as const;
  const idByName = new Map<string, string>();
  const pathOf = (name: string) => `/${names.indexOf(name as (typeof names)[number])}`;
  const receivedAt = (path: string) => harness.sink.deliveries.filter((delivery) => delivery.path === path);
  const webhook = (name: string) => `/webhooks/${idByName.get(name)}`;
  const edit = (name: string, attributes: object) =>
    api.send("PATCH", webhook(name), { data: { type: "webhook", id: idByName.get(name), attributes } });
  let newSecret = "";

  const harness = started(() => startDeliveryHarness(names.length));
  beforeAll(async () => {
    names.forEach((name, index) => void idByName.set(name, harness.webhookIds[index] ?? ""));
    [api] = await Promise.all([harness.startApi(), harness.startWorker()]);
    const requests = new Map<string, number>();
    harness.sink.respondWith(({ path }) => {
      const times = (requests.get(path) ?? 0) + 1;
      requests.set(path, times);
      if (path === pathOf("in flight")) return { status: 200, afterMs: 3_000 };
      return { status: times === 1 ? 500 : 200 };
    });
    await harness.notify(1);
    await eventually("the first attempts", () => harness.sink.deliveries.length === names.length);
    const responses = await Promise.all([
      api.send("POST", `${webhook("rotated")}/rotate_secret`),
      edit("moved", { url: `${harness.sink.url}/moved` }),
      api.send("DELETE", webhook("deleted")),
      edit("disabled", { active: false }),
      edit("in flight", { active: false }),
    ]);
    expect(responses.map(({ status }) => Math.floor(status / 100))).toEqual([2, 2, 2, 2, 2]);
    const rotated = (await responses[0]?.json()) as { data: { attributes: { secret: string } } };
    newSecret = rotated.data.attributes.secret;
    await eventually("the retry of the unchanged webhook", () => receivedAt(pathOf("control")).length === 2);
    await new Promise((resolve) => setTimeout(resolve, longestFirstRetryMs - 3_000));
  }, 240_000);

  test("signs the next attempt with the new and the old secret after a rotation", async () => {
    await eventually("the retry", () => receivedAt(pathOf("rotated")).length === 2);
    const [first, second] = receivedAt(pathOf("rotated")) as [Delivery, Delivery];
    expect(second.body).toEqual(first.body);
    expect(signedWith(first)).toEqual([signature(firstSecret, first.body)]);
    expect(signedWith(second)).toEqual([signature(newSecret, second.body), signature(firstSecret, second.body)]);
  });

  test("sends the next attempt to a changed URL with the same id and body", async () => {
    await eventually("the retry", () => receivedAt("/moved").length === 1);
    const [first, second] = [...receivedAt(pathOf("moved")), ...receivedAt("/moved")] as [Delivery, Delivery];
    expect(receivedAt(pathOf("moved"))).toHaveLength(1);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(second.body).toEqual(first.body);
  });

  test("sends nothing to a deleted or disabled webhook", () => {
    expect(receivedAt(pathOf("deleted"))).toHaveLength(1);
    expect(receivedAt(pathOf("disabled"))).toHaveLength(1);
  });

  test("records the response to a request that was in flight when the webhook was disabled", async () => {
    await eventually("the outcome", async () => {
      const [inFlight] = receivedAt(pathOf("in flight"));
      return !(await harness.undelivered()).includes(String(inFlight?.headers["webhook-id"]));
    });
    expect(receivedAt(pathOf("in flight"))).toHaveLength(1);
  });

  test("sends pending deliveries when the webhook is enabled again", async () => {
    expect((await edit("disabled", { active: true })).status).toBe(200);
    await eventually("the retry", () => receivedAt(pathOf("disabled")).length === 2, 30_000);
  }, 90_000);
});
