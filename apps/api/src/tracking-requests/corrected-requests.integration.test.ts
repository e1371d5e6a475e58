import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);

const bill = { request_type: "bill_of_lading", request_number: "SBXL 1234-567", scac: "SBXL" };

test("201 with the waiting request, corrected, for the same number of another type", async () => {
  const account = await api.createAccount();
  const create = (attributes: object) =>
    api.request("/tracking_requests", {
      method: "POST",
      token: account.token,
      body: { data: { type: "tracking_request", attributes } },
    });
  const first = await create({ ...bill, ref_numbers: ["PO-1"] });
  const waited = { status: "awaiting_manifest", awaitingManifestSince: new Date("2026-11-15"), retryCount: 9 };
  await api.database.prisma.trackingRequest.updateMany({ where: { accountId: account.id }, data: waited });
  const booking = { ...bill, request_type: "booking_number", ref_numbers: ["PO-2", "PO-1"] };
  const second = await create(booking);
  expect([second.status, second.body.data.id]).toEqual([201, first.body.data.id]);
  expect(second.body.data.attributes).toMatchObject({
    request_type: "booking_number",
    ref_numbers: ["PO-1", "PO-2"],
  });
  expect((await create(booking)).status).toBe(422);
  const { prisma } = api.database;
  const request = await prisma.trackingRequest.findFirstOrThrow({ where: { accountId: account.id } });
  const subject = await prisma.trackingSubject.findFirstOrThrow({ where: { id: request.subjectId ?? "" } });
  expect(subject.kind).toBe("booking_number");
  expect(request).toMatchObject({ status: "pending", awaitingManifestSince: null, retryCount: 0 });
  await prisma.trackingRequest.update({
    where: { accountId_id: { accountId: account.id, id: request.id } },
    data: { status: "created" },
  });
  expect((await create(bill)).status).toBe(422);
});
