import { beforeEach, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));

let account: Awaited<ReturnType<typeof app.addAccount>>;
let visitor: Awaited<ReturnType<typeof app.visit>>;
beforeEach(async () => {
  account = await app.addAccount();
  visitor = await app.visit(account);
});

const markupOf = async (path: string, reader = visitor): Promise<string> => (await reader.get(path)).text();
const read = async (path: string): Promise<string> => visibleText(await markupOf(path));

/** Adds a failed request with the exception that the rules open for it. */
async function addFailed(
  requestNumber: string,
  scac = "SBXL",
  more: { readonly customerId?: string; readonly refNumbers?: string[] } = {},
): Promise<{ id: string; exceptionId: string }> {
  const id = uuidV7.next();
  const at = new Date(Date.now() - 3_600_000);
  const stamps = { createdAt: at, updatedAt: at };
  const failure = { status: "failed", failedReason: "not_found", ...stamps };
  await app.database.prisma.trackingRequest.create({
    data: {
      accountId: account.id,
      id,
      requestType: "bill_of_lading",
      scac,
      requestNumber,
      normalizedNumber: requestNumber,
      ...failure,
      ...more,
    },
  });
  const columns = { subjectId: id, trackingRequestId: id, kind: "tracking_request_failed" };
  return { id, exceptionId: await addException(app.database, account.id, columns) };
}

async function retryLink(requestNumber: string): Promise<string> {
  const link = new RegExp(`<a href="(/track\\?number=${requestNumber}[^"]*)">Retry`);
  const path = link.exec(await markupOf("/tracking-requests?status=failed"))?.[1] ?? "";
  return path.replaceAll("&amp;", "&");
}

const fieldOf = (markup: string, name: string): string | undefined =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(markup)?.[1];

describe("a failed request", () => {
  test("is resolved from the list, counts no more as failed, and can be reopened", async () => {
    const { id, exceptionId } = await addFailed("SBXDIR000901");
    const other = await addFailed("SBXDIR000902");
    expect(await read("/shipments")).toContain("Tracking requests: 2 failed");
    const back = "/tracking-requests?status=failed";
    expect(await markupOf(back)).toContain(`action="/tracking-requests/${id}/dismiss"`);
    const dismissed = await visitor.post(`/tracking-requests/${id}/dismiss`, { back });
    expect([dismissed.status, dismissed.headers.get("location")]).toEqual([303, `${back}&dismissed=${id}`]);
    expect(await read(`${back}&dismissed=${id}`)).toContain(
      "SBXDIR000901 is resolved. It can be reopened in Attention",
    );
    expect(await markupOf(back)).not.toContain(id);
    expect(await markupOf(back)).toContain(other.id);
    expect(await read("/tracking-requests?status=resolved")).toMatch(/SBXDIR000901 .* Failed .* resolved/);
    expect(await read("/tracking-requests")).toMatch(/SBXDIR000901 .* Failed .* resolved/);
    expect(await read("/shipments")).toContain("Tracking requests: 1 failed");
    await visitor.post(`/attention/${exceptionId}`, { action: "open" });
    expect(await read("/shipments")).toContain("Tracking requests: 2 failed");
    await visitor.post(`/tracking-requests/${id}/dismiss`, { back: "https://example.com/tracking-requests" });
    await visitor.post(`/attention/${other.exceptionId}`, { action: "resolve" });
    expect(await read("/shipments")).not.toContain("failed");
  });

  test("is counted, first of the states, and found by a field, with its customer", async () => {
    const customerId = uuidV7.next();
    const [createdAt, companyName] = [new Date(), "Northwind & Co"];
    const customer = { accountId: account.id, id: customerId, companyName, createdAt, updatedAt: createdAt };
    await app.database.prisma.party.create({ data: customer });
    expect(await read("/tracking-requests")).toMatch(/All Waiting for carrier data 0 Awaiting manifest 0 .*Failed 0/);
    await addFailed("SBXDIR000911", "SBXL", { customerId });
    await addFailed("SBXDIR000912");
    expect(await read("/tracking-requests")).toMatch(/All Failed 2 Waiting for carrier data 0/);
    const found = await markupOf("/tracking-requests?status=failed&number=911");
    expect(visibleText(found)).toMatch(/All Failed 1 Waiting for carrier data 0/);
    expect(visibleText(found)).toMatch(/SBXDIR000911 Northwind (&|&amp;) Co Bill of lading SBXL Failed/);
    expect(found).toMatch(/<input id="f-number" name="number" value="911"/);
    expect(found).not.toContain("SBXDIR000912");
  });

  test("can be tried as a booking, and its retry keeps that type", async () => {
    const { id, exceptionId } = await addFailed("SBXDIR000913");
    for (const path of ["/tracking-requests", "/attention", `/attention/${exceptionId}`]) {
      const [, link = ""] = /<a href="([^"]*)"[^>]*>Try as booking</.exec(await markupOf(path)) ?? [];
      const form = await markupOf(link.replaceAll("&amp;", "&"));
      expect([path, fieldOf(form, "replaces")]).toEqual([path, id]);
      expect(form).toContain('<option value="booking_number" selected>');
    }
    const where = { id };
    await app.database.prisma.trackingRequest.updateMany({ where, data: { requestType: "booking_number" } });
    expect(await retryLink("SBXDIR000913")).toContain("&type=booking_number&");
    expect(await read("/tracking-requests")).toContain("Try as bill of lading");
    await app.database.prisma.trackingRequest.updateMany({ where, data: { failedReason: "booking_cancelled" } });
    expect(await read("/tracking-requests")).not.toContain("Try as");
  });

  test("is resolved on the page of its exception, and dismissed by operators of the account only", async () => {
    const { id, exceptionId } = await addFailed("SBXDIR000903");
    const path = `/attention/${exceptionId}`;
    const back = "/tracking-requests";
    const otherVisitor = await app.visit(await app.addAccount());
    expect((await otherVisitor.post(`/tracking-requests/${id}/dismiss`, { back })).status).toBe(404);
    const viewer = await app.visit(await app.addMember(account, "viewer"));
    const resolve = 'value="resolve" form="handle"';
    expect(await markupOf(path, viewer)).not.toContain(resolve);
    expect((await viewer.post(`/tracking-requests/${id}/dismiss`, { back })).status).toBe(403);
    const markup = await markupOf(path);
    expect(markup).toContain(resolve);
    expect(markup.match(/>Retry</g)).toHaveLength(1);
    expect(markup.match(/>Correct the number</g)).toHaveLength(1);
    await visitor.post(path, { action: "resolve", note: "" });
    expect(await read(path)).toContain(`Resolved by ${account.email}`);
    expect(await markupOf(path)).not.toContain(resolve);
    expect(await read("/tracking-requests?status=resolved")).toMatch(/SBXDIR000903 .* Failed .* resolved/);
  });

  test("is dismissed once the request that replaces it is accepted", async () => {
    const { id, exceptionId } = await addFailed("SBXDIR00904");
    const form = await markupOf(await retryLink("SBXDIR00904"));
    expect(fieldOf(form, "replaces")).toBe(id);
    const refused = await visitor.post("/track", { number: "!", carrier: "SBXL", replaces: id });
    expect([refused.status, fieldOf(await refused.text(), "replaces")]).toEqual([422, id]);
    const statusOf = async () =>
      (await app.database.prisma.exception.findFirstOrThrow({ where: { id: exceptionId } })).resolution;
    expect(await statusOf()).toBeNull();
    expect((await visitor.post("/track", { number: "SBXDIR000904", carrier: "SBXL", replaces: id })).status).toBe(303);
    expect(await statusOf()).toBe("by_member");
    expect(await read("/shipments")).toContain("Tracking requests: 1 pending");
    expect(await read("/shipments")).not.toContain("1 failed");
  });

  test("is not dismissed by a request of another account that names it", async () => {
    const { id, exceptionId } = await addFailed("SBXDIR000905");
    const otherVisitor = await app.visit(await app.addAccount());
    const form = { number: "SBXDIR000906", carrier: "SBXL", replaces: id };
    expect((await otherVisitor.post("/track", form)).status).toBe(303);
    const exception = await app.database.prisma.exception.findFirst({ where: { id: exceptionId } });
    expect(exception?.resolvedAt).toBeNull();
  });

  test("has its customer and references in Attention, and its number is corrected from there", async () => {
    const [customerId, at] = [uuidV7.next(), new Date()];
    const names = { companyName: "Nordic Furniture", createdAt: at, updatedAt: at };
    await app.database.prisma.party.create({ data: { accountId: account.id, id: customerId, ...names } });
    const { id, exceptionId } = await addFailed("SBXDIR0O908", "SBXL", { customerId, refNumbers: ["PO-1", "PO-2"] });
    const queue = await markupOf("/attention");
    expect(visibleText(queue)).toContain("Nordic Furniture · PO-1, PO-2");
    expect(await read(`/attention/${exceptionId}`)).toContain("Customer Nordic Furniture References PO-1, PO-2");
    expect(visibleText(queue)).toMatch(/Retry · Try as booking · Correct the number .*Assign to me/);
    const pages = [queue, await markupOf(`/attention/${exceptionId}`), await markupOf("/tracking-requests")];
    for (const markup of pages) {
      const [, path = ""] = /<a href="(\/track\?[^"]*)"[^>]*>Correct the number<\/a>/.exec(markup) ?? [];
      const form = await markupOf(path.replaceAll("&amp;", "&"));
      expect(visibleText(form)).toContain("Correct the number");
      expect(form).toMatch(/<input id="number" name="number" value="SBXDIR0O908"[^>]* autofocus/);
      expect([fieldOf(form, "replaces"), fieldOf(form, "customer")]).toEqual([id, "Nordic Furniture"]);
      expect(visibleText(form)).toContain("This request replaces the failed one for SBXDIR0O908 .");
    }
    const viewer = await app.visit(await app.addMember(account, "viewer"));
    expect(await markupOf("/attention", viewer)).not.toContain("Correct the number");
    await visitor.post(`/attention/${exceptionId}`, { action: "resolve" });
    expect(await markupOf("/attention?status=resolved")).not.toContain("Correct the number");
  });

  test("is still corrected after its corrected number is refused", async () => {
    const { id } = await addFailed("SBXDIR0O909");
    const form = { number: "!", carrier: "SBXL", replaces: id, corrects: "SBXDIR0O909" };
    const refused = await visitor.post("/track", form);
    const markup = await refused.text();
    expect(refused.status).toBe(422);
    expect(markup).toContain("<h1>Correct the number</h1>");
    expect(visibleText(markup)).toContain("This request replaces the failed one for SBXDIR0O909 .");
    expect(["number", "replaces", "corrects"].map((name) => fieldOf(markup, name))).toEqual(["!", id, "SBXDIR0O909"]);
  });

  test("keeps its carrier in a retry, also where detection does not name it", async () => {
    await addFailed("SBXDIR000907", "MAEU");
    const markup = await markupOf(await retryLink("SBXDIR000907"));
    expect(markup).toContain('<option value="MAEU" selected>');
    expect(markup).toContain('name="candidate" value="another" checked');
    expect(markup).not.toContain('value="SBXL" checked');
  });
});
