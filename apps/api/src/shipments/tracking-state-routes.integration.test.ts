import { beforeEach, describe, expect, test } from "@jest/globals";
import { documentSchema } from "@svc/jsonapi/documents";
import { ShipmentResource } from "@svc/jsonapi/shipments";
import { uuidV7 } from "@svc/persistence";
import { eventually } from "@svc/testkit";
import { started, startedEach } from "@svc/testkit/started";
import { insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
let shipmentId: string;
let requestId: string;

/** A shipment that is tracked for one request, and a webhook that is subscribed to its events. */
const account = startedEach(() => api.createAccount());
beforeEach(async () => {
  const post = (path: string, attributes: object) =>
    api.request(path, { method: "POST", token: account.token, body: { data: { attributes } } });
  await post("/webhooks", { url: "https://example.com/hook", active: true, events: ["tracking_request.*"] });
  const number = { request_type: "bill_of_lading", request_number: "SBXL1", scac: "SBXL" };
  const created = await post("/tracking_requests", number);
  requestId = created.body.data.id;
  const request = await api.database.prisma.trackingRequest.findFirstOrThrow({ where: { id: requestId } });
  shipmentId = await insertShipment(api.database, account.id, { subjectId: request.subjectId });
  await api.database.prisma.trackingRequest.updateMany({
    where: { id: requestId },
    data: { status: "created", shipmentId },
  });
});

const put = (action: string, request: object = {}) =>
  api.request(`/shipments/${shipmentId}/${action}`, { method: "PATCH", token: account.token, ...request });

const subject = () => api.database.prisma.trackingSubject.findFirstOrThrow({ where: { accountId: account.id } });

describe("PATCH /shipments/{id}/stop_tracking", () => {
  test("200: ends the polling and the request and notifies the webhook in one transaction", async () => {
    const { status, body } = await put("stop_tracking");
    expect(status).toBe(200);
    expect(documentSchema(ShipmentResource.strict()).safeParse(body).error).toBeUndefined();
    expect(body.data.attributes).toMatchObject({
      line_tracking_stopped_at: "2026-11-21T10:00:00.000Z",
      line_tracking_stopped_reason: "cancelled_by_user",
    });
    expect((await subject()).nextPollAt).toBeNull();
    const request = await api.request(`/tracking_requests/${requestId}?include=`, { token: account.token });
    expect(request.body.data.attributes.status).toBe("tracking_stopped");
    const [event] = await api.database.prisma.notificationEvent.findMany({ where: { accountId: account.id } });
    expect(event).toMatchObject({ event: "tracking_request.tracking_stopped", referenceId: requestId });
    const included = JSON.parse(event?.included ?? "[]");
    expect(included.map((resource: { type: string }) => resource.type)).toEqual(["tracking_request", "shipment"]);
    expect(included[1].attributes.line_tracking_stopped_reason).toBe("cancelled_by_user");
  });

  test("200: a repetition changes and notifies nothing; the identity may be sent along", async () => {
    const first = await put("stop_tracking", { body: { data: { type: "shipment", id: shipmentId } } });
    const again = await put("stop_tracking", { body: { data: { type: "shipment", id: shipmentId } } });
    expect([again.status, again.headers.get("etag")]).toEqual([200, first.headers.get("etag")]);
    expect(await api.database.prisma.notificationEvent.count({ where: { accountId: account.id } })).toBe(1);
  });

  test("200: twenty concurrent requests notify once", async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => put("stop_tracking")));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await api.database.prisma.notificationEvent.count({ where: { accountId: account.id } })).toBe(1);
  });

  test("409: another identity; 412: another version; 422: attributes; 404: another account", async () => {
    expect((await put("stop_tracking", { body: { data: { type: "container" } } })).status).toBe(409);
    expect((await put("stop_tracking", { headers: { "If-Match": '"99-x"' } })).status).toBe(412);
    expect((await put("stop_tracking", { body: { data: { attributes: { tags: [] } } } })).status).toBe(422);
    const { token } = await api.createAccount();
    expect((await put("stop_tracking", { token })).status).toBe(404);
    expect((await subject()).nextPollAt).not.toBeNull();
  });
});

describe("PATCH /shipments/{id}/resume_tracking", () => {
  test("200: the shipment is polled again and its request lives", async () => {
    await put("stop_tracking");
    const { status, body } = await put("resume_tracking");
    expect([status, body.data.attributes.line_tracking_stopped_at]).toEqual([200, null]);
    expect(body.data.attributes.line_tracking_stopped_reason).toBeNull();
    expect((await subject()).nextPollAt).toEqual(new Date("2026-11-21T10:00:00Z"));
    const request = await api.request(`/tracking_requests/${requestId}?include=`, { token: account.token });
    expect(request.body.data.attributes.status).toBe("created");
    const row = await api.database.prisma.shipment.findFirstOrThrow({ where: { id: shipmentId } });
    expect(row.lineTrackingResumedAt).toEqual(new Date("2026-11-21T10:00:00Z"));
  });

  test("200: does not change a shipment that was not stopped", async () => {
    const before = await api.database.prisma.shipment.findFirstOrThrow({ where: { id: shipmentId } });
    expect((await put("resume_tracking")).status).toBe(200);
    expect(await api.database.prisma.shipment.findFirstOrThrow({ where: { id: shipmentId } })).toEqual(before);
  });

  test("200: a request of another kind for the number that is created at the same moment is the one that lives", async () => {
    await put("stop_tracking");
    const other = await api.database.pool.connect();
    await other.query("BEGIN");
    const subjectId = uuidV7.next();
    await other.query(
      `INSERT INTO tracking_subjects (id, account_id, scac, kind, number, next_poll_at, created_at)
       VALUES ($1, $2, 'SBXL', 'booking_number', 'SBXL1', now(), now())`,
      [subjectId, account.id],
    );
    await other.query(
      `INSERT INTO tracking_requests (account_id, id, request_type, request_number, normalized_number, scac, status,
         subject_id, created_at, updated_at)
       VALUES ($1, $2, 'booking_number', 'SBXL1', 'SBXL1', 'SBXL', 'pending', $3, now(), now())`,
      [account.id, uuidV7.next(), subjectId],
    );
    const resumed = put("resume_tracking");
    await eventually("the resume waits for the request", async () => {
      const { rowCount } = await api.database.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE '%UPDATE tracking_requests%'`,
      );
      return rowCount === 1;
    });
    await other.query("COMMIT");
    other.release();
    const { status, body } = await resumed;
    expect([status, body.data?.attributes.line_tracking_stopped_at]).toEqual([200, null]);
    const request = await api.request(`/tracking_requests/${requestId}?include=`, { token: account.token });
    expect(request.body.data.attributes.status).toBe("tracking_stopped");
    const { nextPollAt } = await api.database.prisma.trackingSubject.findFirstOrThrow({
      where: { accountId: account.id, kind: "bill_of_lading" },
    });
    expect(nextPollAt).not.toBeNull();
  });

  test("a newer request for the number stays the only one that lives", async () => {
    await put("stop_tracking");
    const attributes = { request_type: "bill_of_lading", request_number: "SBXL1", scac: "SBXL" };
    const body = { data: { attributes } };
    expect((await api.request("/tracking_requests", { method: "POST", token: account.token, body })).status).toBe(201);
    expect((await put("resume_tracking")).status).toBe(200);
    const old = await api.request(`/tracking_requests/${requestId}?include=`, { token: account.token });
    expect(old.body.data.attributes.status).toBe("tracking_stopped");
  });
});
