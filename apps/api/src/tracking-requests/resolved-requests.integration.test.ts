import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 0, minute));

test("finds failed requests that need no action with filter[resolved]", async () => {
  const { prisma } = api.database;
  const add = async (number: string, minute: number, columns: { status?: string; failedReason?: string } = {}) => {
    const id = uuidV7.next();
    const base = { accountId: api.account.id, id, requestType: "bill_of_lading", scac: "SBXL" };
    const stamps = { createdAt: at(minute), updatedAt: at(minute) };
    const failure = { status: "failed", failedReason: "not_found", ...columns };
    await prisma.trackingRequest.create({
      data: { ...base, ...stamps, ...failure, requestNumber: number, normalizedNumber: number },
    });
    return id;
  };
  const addException = async (trackingRequestId: string) => {
    const id = uuidV7.next();
    const base = { accountId: api.account.id, id, subjectId: trackingRequestId, trackingRequestId };
    const rated = { kind: "tracking_request_failed", severity: "critical", priority: 1, details: {} };
    const stamps = { openedAt: at(9), createdAt: at(9), updatedAt: at(9) };
    await prisma.exception.create({ data: { ...base, ...rated, ...stamps } });
    return id;
  };
  const [open, dismissed] = [await add("OPEN1", 1), await add("DISMISSED1", 2)];
  const replaced = await add("REPLACED1", 3);
  const retried = await prisma.trackingRequest.update({
    where: { accountId_id: { accountId: api.account.id, id: await add("REPLACED1", 4) } },
    data: { status: "pending", failedReason: null },
  });
  const duplicate = await add("DUPLICATE1", 5, { failedReason: "duplicate" });
  const list = async (query: string) => {
    const { status, body } = await api.request(`/tracking_requests?sort=created_at&${query}`);
    return [status, body.data?.map(({ id }: { id: string }) => id)];
  };
  await addException(open);
  const exception = await addException(dismissed);
  expect(await list("filter[resolved]=true")).toEqual([200, [replaced, duplicate]]);
  const body = { data: { type: "exception", id: exception, attributes: { status: "resolved" } } };
  expect((await api.request(`/exceptions/${exception}`, { method: "PATCH", body })).status).toBe(200);
  expect(await list("filter[resolved]=true")).toEqual([200, [dismissed, replaced, duplicate]]);
  expect(await list("filter[resolved]=false")).toEqual([200, [open, retried.id]]);
  expect(await list("filter[resolved]=false&filter[status]=failed")).toEqual([200, [open]]);
  expect((await list("filter[resolved]=maybe"))[0]).toBe(400);
});
