import { expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { started, startedEach } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const webhooksMax = 3;

const api = started(() => startTestApi({ webhooksPerAccount: webhooksMax }));
const account = startedEach(() => api.createAccount());

const create = (headers: Record<string, string> = {}, { token } = account) => {
  const attributes = { url: "https://example.com/hook", active: true, events: ["*"] };
  return api.request("/webhooks", { method: "POST", token, headers, body: { data: { type: "webhook", attributes } } });
};
const list = async (): Promise<{ id: string }[]> =>
  (await api.request("/webhooks", { token: account.token })).body.data;
const statuses = (responses: readonly { readonly status: number }[]) =>
  responses.map(({ status }) => status).toSorted();
const all = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

/**
 * Webhooks are created only once this many requests wait: for each other, or together to insert, as they would without
 * a lock. So the outcome does not depend on timing.
 */
async function holdingInserts<Result>(waiting: number, work: () => Promise<Result>): Promise<Result> {
  const other = await api.database.pool.connect();
  try {
    await other.query("BEGIN");
    await other.query("LOCK TABLE webhooks IN SHARE MODE");
    const result = work();
    await eventually("enough of them wait", async () => {
      const { rows } = await other.query<{ count: number }>(
        "SELECT count(*)::int FROM pg_locks JOIN pg_database d ON d.oid = database AND d.datname = current_database() WHERE NOT granted",
      );
      return (rows[0]?.count ?? 0) >= waiting;
    });
    await other.query("COMMIT");
    return await result;
  } finally {
    other.release();
  }
}

test.each([
  ["without a key", () => ({})],
  ["each with a key", (index: number) => ({ "Idempotency-Key": `hook-${index}` })],
])(
  "creates as many webhooks as the limit allows out of many concurrent requests, %s [spec: P16]",
  async (_name, headersOf) => {
    const responses = await holdingInserts(webhooksMax + 1, () =>
      Promise.all(Array.from({ length: 25 }, (_, index) => create(headersOf(index)))),
    );
    expect(statuses(responses)).toEqual([...all(webhooksMax, 201), ...all(25 - webhooksMax, 422)]);
    expect(await list()).toHaveLength(webhooksMax);
    const refused = responses.find(({ status }) => status === 422);
    expect(refused?.body.errors).toEqual([
      expect.objectContaining({
        code: "limit_reached",
        source: { pointer: "/data" },
        detail: expect.stringMatching(/limit of 3 webhooks.*Delete one/),
      }),
    ]);
  },
);

test("a deleted webhook makes room, a disabled one does not, and other accounts have limits of their own", async () => {
  await Promise.all(all(webhooksMax, 0).map(() => create()));
  const [first, second] = await list();
  const off = { method: "PATCH", token: account.token, body: { data: { attributes: { active: false } } } };
  expect((await api.request(`/webhooks/${first?.id}`, off)).status).toBe(200);
  expect((await create()).status).toBe(422);
  expect((await create({}, await api.createAccount())).status).toBe(201);
  await api.request(`/webhooks/${second?.id}`, { method: "DELETE", token: account.token });
  expect(statuses([await create(), await create()])).toEqual([201, 422]);
});

test("a retry of the request that created the last one gets the same response", async () => {
  await Promise.all(all(webhooksMax - 1, 0).map(() => create()));
  const first = await create({ "Idempotency-Key": "last" });
  const again = await create({ "Idempotency-Key": "last" });
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect((await create()).status).toBe(422);
});
