import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

test("GET /tracking_requests?filter[carrier_connected]: requests that wait for a connection to their carrier", async () => {
  const create = async (scac: string) => {
    const attributes = { request_type: "bill_of_lading", request_number: `${scac}123456789`, scac };
    return (await api.request("/tracking_requests", { method: "POST", body: { data: { attributes } } })).body.data.id;
  };
  const [waiting, polled] = [await create("MAEU"), await create("ONEY")];
  // A poll without a connection sends no request and is due again a day later.
  const createdAt = new Date("2026-11-21T00:00:00Z");
  const where = { accountId: api.account.id, scac: "MAEU" };
  const nextPollAt = new Date("2026-11-22T00:00:00Z");
  await api.database.prisma.trackingSubject.updateMany({ where, data: { createdAt, nextPollAt } });
  const list = async (query: string) => {
    const { status, body } = await api.request(`/tracking_requests${query}`);
    return [status, body.data?.map(({ id }: { id: string }) => id)];
  };
  expect(await list("?filter[carrier_connected]=false")).toEqual([200, [waiting]]);
  expect(await list("?filter[carrier_connected]=true")).toEqual([200, [polled]]);
  expect(await list("?filter[carrier_connected]=false&filter[scac]=ONEY")).toEqual([200, []]);
  expect((await list("?filter[carrier_connected]=maybe"))[0]).toBe(400);
});
