import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const hourMs = 3_600_000;

const app = started(() => startTestWeb({ withApi: true }));

const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));

/** Adds a pending request as the worker leaves it: polled or not, next poll due in `dueInHours`. */
async function addRequest(
  number: string,
  scac: string,
  subject: { dueInHours: number; wasPolled: boolean },
  accountId = account.id,
) {
  const createdAt = new Date();
  const [id, subjectId] = [uuidV7.next(), uuidV7.next()];
  const kind = "bill_of_lading";
  const lastAttemptedAt = subject.wasPolled ? createdAt : null;
  const nextPollAt = new Date(createdAt.getTime() + subject.dueInHours * hourMs);
  await app.database.prisma.trackingSubject.create({
    data: { id: subjectId, accountId, scac, kind, number, nextPollAt, lastAttemptedAt, createdAt },
  });
  await app.database.prisma.trackingRequest.create({
    data: {
      accountId,
      id,
      subjectId,
      requestType: kind,
      requestNumber: number,
      normalizedNumber: number,
      scac,
      status: "pending",
      createdAt,
      updatedAt: createdAt,
    },
  });
  return id;
}

const read = async (path: string): Promise<string> => (await visitor.get(path)).text();

test("a request whose carrier is not connected says so, after tracking and in the list", async () => {
  const id = await addRequest("MAEU123456789", "MAEU", { dueInHours: 24, wasPolled: false });
  const markup = await read(`/tracking-requests?created=${id}`);
  const created = visibleText(markup);
  expect(markup).toContain('class="notice is-warning"');
  expect(created).toContain("MAEU123456789 waits: the carrier MAEU is not connected.");
  expect(created).toContain("Carrier not connected");
});

test("requests that the carrier was polled for, or is polled for soon, only wait", async () => {
  const polled = await addRequest("HLCU1", "HLCU", { dueInHours: 24, wasPolled: true });
  const due = await addRequest("ONEY1", "ONEY", { dueInHours: 0, wasPolled: false });
  for (const id of [polled, due]) {
    const markup = await read(`/tracking-requests?created=${id}`);
    expect(visibleText(markup)).toContain("is being tracked. The carrier is queried now.");
    expect(markup).toContain('class="notice is-success"');
    expect(markup).toMatch(/data-live="[^"]+" data-pending/);
  }
  expect((await read("/tracking-requests")).match(/Carrier not connected/g)).toHaveLength(1);
});

test("the menus of carriers say which are not connected, before anything is sent", async () => {
  await app.database.prisma.carrierAccess.create({ data: { credential: "HLCU" } });
  const groupsIn = (menu: string) =>
    [...menu.matchAll(/<optgroup label="([^"]+)">(.*?)<\/optgroup>/gs)].map(([, label, options = ""]) => [
      label,
      [...options.matchAll(/value="(\w+)"/g)].map(([, scac]) => scac),
    ]);
  for (const path of ["/track", "/track/bulk"]) {
    const groups = groupsIn(await read(path));
    expect(groups).toEqual([
      ["Connected", ["HLCU"]],
      ["Not connected", expect.arrayContaining(["MAEU", "SBXL"])],
    ]);
  }
});

test("links a request to its shipment", async () => {
  const id = await addRequest("OPEN1", "SBXL", { dueInHours: 1, wasPolled: true });
  const shipmentId = uuidV7.next();
  const now = new Date();
  const number = { billOfLadingNumber: "OPEN1", normalizedNumber: "OPEN1", numberKind: "bill_of_lading" };
  const stamps = { createdAt: now, updatedAt: now };
  await app.database.prisma.shipment.create({
    data: { accountId: account.id, id: shipmentId, ...number, shippingLineScac: "SBXL", ...stamps },
  });
  await app.database.prisma.trackingRequest.updateMany({ where: { id }, data: { status: "created", shipmentId } });
  const markup = await read(`/tracking-requests?created=${id}`);
  expect(markup).toContain(`data-opens="/shipments/${shipmentId}"`);
  expect(markup).not.toContain("data-pending");
  expect(visibleText(markup)).toContain("OPEN1 is tracked. Open the shipment");
});

test("the list is limited to a number or a part of it, also in the links of its states", async () => {
  await addRequest("SBXLFIND0001", "SBXL", { dueInHours: 0, wasPolled: true });
  await addRequest("SBXLFIND0002", "SBXL", { dueInHours: 0, wasPolled: true });
  const markup = await read("/tracking-requests?number=SBXLFIND0001");
  expect(markup).toContain("SBXLFIND0001");
  expect(markup).not.toContain("SBXLFIND0002");
  expect(markup).toContain('href="/tracking-requests?status=failed&amp;number=SBXLFIND0001"');
  expect(visibleText(markup)).toContain("Remove the filter Number: SBXLFIND0001");
  const both = await read("/tracking-requests?number=sbxlfind");
  expect(both).toMatch(/SBXLFIND0002[\s\S]*SBXLFIND0001/);
  expect(visibleText(await read("/tracking-requests?number=NOSUCHNUMBER"))).toContain(
    "No requests match “NOSUCHNUMBER”",
  );
  expect(await read("/tracking-requests?number=%E2%80%8B")).toContain("SBXLFIND0002");
});

test("an exception of a request leads to what can be done about it: connect the carrier, or try again", async () => {
  const waiting = await addRequest("MAEU987654321", "MAEU", { dueInHours: 24, wasPolled: false });
  const failed = await addRequest("MAEU111111111", "MAEU", { dueInHours: 24, wasPolled: true });
  const where = { accountId_id: { accountId: account.id, id: failed } };
  await app.database.prisma.trackingRequest.update({ where, data: { status: "failed", failedReason: "not_found" } });
  const shipments = visibleText(await read("/shipments"));
  expect(shipments).toContain("MAEU987654321 MAEU Carrier not connected Connect");
  expect(shipments).toMatch(/Tracking requests: \d+ pending · 1 failed · MAEU not connected/);
  const pageOf = async (trackingRequestId: string, kind: string) => {
    const columns = { subjectId: trackingRequestId, trackingRequestId, kind, details: { days: 3 } };
    return read(`/attention/${await addException(app.database, account.id, columns)}`);
  };
  const waitingPage = await pageOf(waiting, "tracking_request_waiting");
  expect(visibleText(waitingPage)).toContain("Tracking request Bill of lading MAEU987654321 Carrier MAEU");
  expect(waitingPage).toContain('href="/carriers/connect?scac=MAEU"');
  const connect = 'href="/carriers/connect?scac=MAEU">Connect</a>';
  expect((await read("/attention")).split(connect)).toHaveLength(2);
  const viewer = await app.visit(await app.addMember(account, "viewer"));
  expect(await (await viewer.get("/attention")).text()).not.toContain(connect);
  const failedPage = await pageOf(failed, "tracking_request_failed");
  expect(failedPage).toContain('href="/track?number=MAEU111111111&amp;carrier=MAEU&amp;replaces=');
});

test("a request whose carrier rejects the account's credentials says so and leads to the connection", async () => {
  const { prisma } = app.database;
  const owner = await app.addAccount();
  const reader = await app.visit(owner);
  const pageOf = async (path: string) => (await reader.get(path)).text();
  const form = await pageOf("/carriers/CMDU");
  const [, choice = ""] = /name="choice" value="([^"]*)"/.exec(form) ?? [];
  const fields = [...form.matchAll(/<input [^>]*name="([\w.]+)"/g)].map(([, name = ""]) => [name, "x"]);
  expect((await reader.post("/carriers/CMDU", { ...Object.fromEntries(fields), choice })).status).toBe(303);
  const id = await addRequest("CMDU987654321", "CMDU", { dueInHours: 1, wasPolled: true }, owner.id);
  const connection = await prisma.carrierConnection.findFirstOrThrow({ where: { accountId: owner.id } });
  const [credential, lastErrorAt] = [connection.id, new Date()];
  await prisma.carrierAccess.create({ data: { credential, accountId: owner.id, lastError: "rejected", lastErrorAt } });

  const problem = "Connection to the carrier fails: credentials rejected";
  const created = await pageOf(`/tracking-requests?created=${id}`);
  expect(visibleText(created)).toContain(`CMDU987654321 waits. ${problem}. Show connection`);
  expect(visibleText(created)).toContain(`${problem} Show connection`);
  expect(created).toContain('href="/carriers/CMDU"');
  expect(visibleText(await pageOf("/shipments"))).toContain(`CMDU987654321 CMDU ${problem} Show connection`);
  const details = { days: 9, requestStatus: "pending" };
  const columns = { subjectId: id, trackingRequestId: id, kind: "tracking_request_waiting", details };
  const exception = await addException(app.database, owner.id, columns);
  const page = await pageOf(`/attention/${exception}`);
  expect(visibleText(page)).toContain(`${problem}, pending for 9 days`);
  expect(visibleText(page)).toContain("The connection to the carrier CMDU fails: credentials rejected.");
  expect(page).toContain('href="/carriers/CMDU"');
  expect(await pageOf("/attention")).toContain('href="/carriers/CMDU">Show connection</a>');

  const lastSuccessAt = new Date(lastErrorAt.getTime() + 1);
  await prisma.carrierAccess.update({ where: { credential }, data: { lastSuccessAt } });
  expect(visibleText(await pageOf(`/attention/${exception}`))).toContain("Tracking request pending for 9 days");
  expect(visibleText(await pageOf("/tracking-requests"))).not.toContain(problem);
});

test("a detected carrier that is not connected leads to its connection, and the other fields are folded", async () => {
  const markup = await read("/track?number=MAEU123456789");
  expect(visibleText(markup)).toMatch(/MAEU · \w+ match Not connected. Connect/);
  expect(markup).toContain('<a href="/carriers/connect?scac=MAEU" aria-label="Connect Maersk">');
  expect(markup).toMatch(/<details><summary>More options.*<\/details>\s*<button autofocus>Track<\/button>/s);
  const withReference = await read("/track?number=MAEU123456789&references=PO-1");
  expect(withReference).not.toContain("<summary>More options");
});
