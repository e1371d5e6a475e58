import { describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started, startedEach } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const account = startedEach(() => api.createAccount());

const bill = { request_type: "bill_of_lading", request_number: "SBXL 1234-567", scac: "SBXL" };

const create = (attributes: object) =>
  api.request("/tracking_requests", {
    method: "POST",
    token: account.token,
    body: { data: { type: "tracking_request", attributes } },
  });

describe("attributes and relationships as the reference contract records them", () => {
  test("user is the one that created the token; null for a token without one", async () => {
    const own = await create(bill);
    expect(own.body.data.relationships.user).toEqual({ data: null });
    const userId = uuidV7.next();
    const token = await api.createToken(account.id);
    await api.database.prisma.apiToken.updateMany({
      where: { accountId: account.id },
      data: { createdByUserId: userId },
    });
    for (const attributes of [
      { ...bill, request_number: "SBXL1234568" },
      { request_type: "container", request_number: "SBXU0000019", auto_detect_vocc_scac: true },
    ]) {
      const body = { data: { type: "tracking_request", attributes } };
      const created = await api.request("/tracking_requests", { method: "POST", token, body });
      expect([created.status, created.body.data.relationships.user]).toEqual([
        201,
        { data: { type: "user", id: userId } },
      ]);
    }
    const data = [{ type: "tracking_request", attributes: { ...bill, request_number: "SBXL1234569" } }];
    const bulk = await api.request("/tracking_requests/bulk", { method: "POST", token, body: { data } });
    expect(bulk.text).toContain(userId);
  });

  test("retry_count is a number from 0, with is_retrying and the temporary reason", async () => {
    const { body } = await create(bill);
    expect(body.data.attributes).toMatchObject({ retry_count: 0, is_retrying: false, failed_reason: null });
    await api.database.prisma.trackingRequest.updateMany({
      where: { id: body.data.id },
      data: { retryCount: 3, isRetrying: true, failedReason: "shipping_line_unreachable" },
    });
    const read = await api.request(`/tracking_requests/${body.data.id}`, { token: account.token });
    const failing = { status: "pending", retry_count: 3, is_retrying: true };
    expect(read.body.data.attributes).toMatchObject({ ...failing, failed_reason: "shipping_line_unreachable" });
  });
});
