import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;

const account = started(() => app.addAccount());
beforeAll(async () => {
  cookie = await app.logIn(account);
});

const sameOrigin = { "sec-fetch-site": "same-origin" };

async function read(path: string): Promise<{ status: number; markup: string; seen: string }> {
  const response = await app.request(path, { headers: { cookie } });
  const markup = await response.text();
  return { status: response.status, markup, seen: visibleText(markup) };
}

async function post(path: string, form: Readonly<Record<string, string>>, files: Readonly<Record<string, File>> = {}) {
  const parts = new FormData();
  for (const [name, value] of Object.entries({ ...form, ...files })) parts.set(name, value);
  const body = path === "/track" ? new URLSearchParams(form) : parts;
  const response = await fetch(`${app.url}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, ...sameOrigin },
    body,
  });
  const markup = await response.text();
  return {
    status: response.status,
    location: response.headers.get("location") ?? "",
    markup,
    seen: visibleText(markup),
  };
}

const requests = (number: string) =>
  app.database.prisma.trackingRequest.findMany({ where: { accountId: account.id, requestNumber: number } });

test("the state of a request is a mark in the list, with the reason of a failure beside it", async () => {
  const createdAt = new Date();
  const base = { accountId: account.id, requestType: "bill_of_lading", scac: "SBXL", createdAt, updatedAt: createdAt };
  const states = {
    STATE1: { status: "created" },
    STATE2: { status: "failed", failedReason: "not_found" },
    STATE3: { status: "tracking_stopped" },
    STATE4: { status: "pending" },
  };
  await app.database.prisma.trackingRequest.createMany({
    data: Object.entries(states).map(([requestNumber, state]) => ({
      ...base,
      ...state,
      id: uuidV7.next(),
      requestNumber,
      normalizedNumber: requestNumber,
    })),
  });
  const { markup } = await read("/tracking-requests?number=STATE");
  const marks = [...markup.matchAll(/<span class="state ([^"]*)">([^<]*)<\/span>([^<]*)/g)];
  expect(
    marks.map(([, className, text, reason]) => `${className} ${text} ${reason?.trim()}`.trim()).toSorted(),
  ).toEqual([
    "Waiting for carrier data",
    "bad Failed The carrier does not know this number",
    "calm Tracking stopped",
    "good Tracked",
  ]);
});

describe("tracking one number", () => {
  test("shows the possible types and carriers of a number, ranked, with the best selected", async () => {
    const { markup, seen } = await read("/track?number=SBXDIR000101");
    expect(seen).toContain("A bill of lading or booking number, read as SBXDIR000101");
    expect(seen).toContain("Sandbox Line SBXL · likely match Not connected.");
    expect(markup).toMatch(/name="candidate" value="SBXL" checked/);
    expect((await read("/track?number=SBXU0400443")).seen).toContain("The check digit does not match.");
    expect((await read("/track?number=%3Cb%3E")).markup).not.toContain("<b>");
  });

  test("a guess is confirmed before it is used, then the request is there with all that was typed", async () => {
    const form = { number: "SBXDIR000102", references: "PO-1, PO-2", tags: "urgent" };
    const unconfirmed = await post("/track", form);
    expect(unconfirmed.status).toBe(422);
    expect(unconfirmed.seen).toContain("Confirm the carrier below, then press Track.");
    expect(unconfirmed.markup).toContain('value="PO-1, PO-2"');
    const { status, location } = await post("/track", { ...form, candidate: "SBXL" });
    expect(status).toBe(303);
    expect((await read(location)).seen).toContain("SBXDIR000102 is being tracked. The carrier is queried now.");
    expect(await requests("SBXDIR000102")).toMatchObject([
      { scac: "SBXL", requestType: "bill_of_lading", refNumbers: ["PO-1", "PO-2"], shipmentTags: ["urgent"] },
    ]);
  });

  test("another carrier than the detected ones has to be chosen", async () => {
    const form = { number: "SBXDIR000104", candidate: "another" };
    const refused = await post("/track", { ...form, carrier: "" });
    expect(refused.status).toBe(422);
    expect(refused.markup).toContain('<p class="problem" id="carrier-problem">Choose the carrier.</p>');
    expect(refused.markup).toContain('name="candidate" value="another" checked');
    expect(refused.markup).not.toContain("<summary>More options");
    expect(await requests(form.number)).toEqual([]);
    expect((await post("/track", { ...form, carrier: "MAEU" })).status).toBe(303);
    expect(await requests(form.number)).toMatchObject([{ scac: "MAEU" }]);
  });

  test("a number that names its carrier needs no question; one that names none is left to the service", async () => {
    expect((await post("/track", { number: "SBXLSBXDIR000103" })).status).toBe(303);
    expect(await requests("SBXLSBXDIR000103")).toMatchObject([{ scac: "SBXL" }]);
    expect((await post("/track", { number: "ZZZ 987" })).status).toBe(303);
    expect(await requests("ZZZ 987")).toMatchObject([{ scac: null, autoDetectScac: true }]);
  });

  test("shows an API error at its field, and links a number that is already tracked", async () => {
    const wrong = await post("/track", { number: "A1!", carrier: "SBXL", type: "container" });
    expect(wrong.status).toBe(422);
    expect(wrong.markup).toMatch(/id="number-problem">A container number has four letters/);
    await post("/track", { number: "SBXDIR000104", carrier: "SBXL" });
    const again = await post("/track", { number: "SBXDIR000104", carrier: "SBXL" });
    expect(again.markup).toMatch(/id="number-problem">This number is already tracked\./);
    expect(again.markup).toContain('href="/shipments/find?q=SBXDIR000104"');
  });
});

describe("tracking many numbers", () => {
  test("each line has its own result, the refused ones stay to be corrected, and sending twice acts once", async () => {
    const form = {
      numbers: "SBXDIR000201, SBXL, PO-7\n!1, SBXL\nSBXDIR000202, XXXX\n, SBXL, PO-8",
      once: "1",
      tags: "bulk",
    };
    const first = await post("/track/bulk", form);
    expect(first.status).toBe(200);
    expect(first.seen).toContain("1 requested, 3 refused");
    expect(first.seen).toContain("1 SBXDIR000201 Requested");
    expect(first.seen).toMatch(/2 !1 Refused\. The number must have 3 to 50/);
    expect(first.seen).toContain("The SCAC &quot;XXXX&quot; is not known.");
    expect(first.seen).toContain("4 – Refused. This row has no number.");
    expect(first.markup).toContain(">!1, SBXL\nSBXDIR000202, XXXX\n, SBXL, PO-8</textarea>");
    expect((await post("/track/bulk", form)).seen).toContain("1 requested, 3 refused");
    expect(await requests("SBXDIR000201")).toMatchObject([{ refNumbers: ["PO-7"], shipmentTags: ["bulk"] }]);
  });

  test("a pasted table has names of carriers and customers, and warns of a wrong check digit", async () => {
    const visitor = await app.visit(account);
    await visitor.post("/account/customers", { companyName: "Bulk Customer" });
    const rows = [
      "SBXDIR000211,Sandbox Line,Bulk Customer",
      "not a number,,Bulk Customer",
      "SBXU0400443,SBXL,",
      "SBXDIR000212,SBXL,Bulk Custmer",
    ];
    const { seen, markup } = await post("/track/bulk", {
      numbers: ["Nr,Carrier,Customer", ...rows].join("\n"),
      once: "2",
    });
    expect(seen).toContain("2 requested, 2 refused");
    expect(seen).toContain("SBXDIR000212 Refused. There is no customer “Bulk Custmer”.");
    expect(await requests("SBXDIR000212")).toEqual([]);
    expect(seen).toContain("not a number Refused. This is no number: it has no digit.");
    expect(seen).toContain(
      "SBXU0400443 Requested as container. Its check digit is wrong: compare it with the document.",
    );
    expect(markup).toContain(
      ">Nr, Carrier, Customer\nnot a number, , Bulk Customer\nSBXDIR000212, SBXL, Bulk Custmer</textarea>",
    );
    const { id } = await app.database.prisma.party.findFirstOrThrow({ where: { companyName: "Bulk Customer" } });
    expect(await requests("SBXDIR000211")).toMatchObject([{ scac: "SBXL", customerId: id }]);
    expect(seen).toContain(
      "SBXDIR000211 Requested as bill of lading. If it is a booking, track it again with that type. It waits: the carrier SBXL is not connected. Connect",
    );

    expect(seen).toContain("Create the customers “Bulk Custmer”: the names are right");
    const again = { numbers: "Nr,Carrier,Customer\nSBXDIR000212,SBXL,Bulk Custmer", createCustomers: "yes", once: "3" };
    expect((await post("/track/bulk", again)).seen).toContain("1 requested, 0 refused");
    const created = await app.database.prisma.party.findFirstOrThrow({ where: { companyName: "Bulk Custmer" } });
    expect(await requests("SBXDIR000212")).toMatchObject([{ customerId: created.id }]);
    expect(await requests("SBXU0400443")).toMatchObject([{ customerId: null }]);
  });

  test("a file of numbers leads to the list of requests when all are taken", async () => {
    const file = new File(["SBXDIR000203,,PO-3\nSBXDIR000204,,PO-4\n"], "numbers.csv");
    const { status, location } = await post("/track/bulk", { numbers: "" }, { file });
    expect([status, location]).toEqual([303, "/tracking-requests?created=2"]);
    const { seen } = await read(location);
    expect(seen).toContain("2 numbers are requested.");
    expect(seen).toContain("SBXDIR000204 PO-4 Bill of lading");
  });

  test("a table whose columns are all used says as what", async () => {
    const { seen } = await post("/track/bulk", { numbers: "B/L no.,PO\nSBXDIR000205,PO-5", once: "4" });
    expect(seen).toContain("1 requested, 0 refused");
    expect(seen).toContain("Columns used: Number: “B/L no.”; Reference: “PO”. ");
    expect(seen).not.toContain("Not used");
  });

  test("a table with columns that are not used is sent once its sender knows them", async () => {
    const table = "Container,Goods,Consignee,Gross <kg>\nSBXDIR000206,Toys,Third AG,900";
    const file = new File([table], "numbers.csv");
    const columns = "Columns used: Number: “Container”; Customer: “Consignee”. Not used: “Goods”, “Gross &lt;kg&gt;”.";
    const first = await post("/track/bulk", { numbers: "", createCustomers: "yes", once: "5" }, { file });
    expect([first.status, first.seen]).toEqual([422, expect.stringContaining(columns)]);
    expect(first.seen).toContain("Nothing is sent yet");
    expect(first.markup).toContain(`>${table.replace("<kg>", "&lt;kg&gt;")}</textarea>`);
    expect(await requests("SBXDIR000206")).toEqual([]);
    const unused = "“Goods”, “Gross <kg>”";
    expect(first.markup).toContain(`name="unused" value="${unused.replace("<kg>", "&lt;kg&gt;")}"`);
    const sent = await post("/track/bulk", { numbers: table, createCustomers: "yes", unused, once: "6" });
    expect(sent.seen).toContain("1 requested, 0 refused");
    expect(sent.seen).toContain(columns);
    expect(await requests("SBXDIR000206")).toHaveLength(1);
    const other = { numbers: table.replace("Goods", "Weight"), unused, once: "7" };
    expect((await post("/track/bulk", other)).seen).toContain("Not used: “Weight”");
  });

  test("refused rows keep the columns of their table, and the choice of those that are left out", async () => {
    const header = "Goods,Container,Carrier,PO";
    const numbers = `${header}\nToys,SBXDIR000208,SBXL,PO-1\nTools,!2,SBXL,"PO-2, lot 2"`;
    const refused = await post("/track/bulk", { numbers, unused: "“Goods”", once: "8" });
    expect(refused.seen).toContain("1 requested, 1 refused");
    const left = "Goods, Container, Carrier, PO\nTools, !2, SBXL, &quot;PO-2, lot 2&quot;";
    expect(refused.markup).toContain(`>${left}</textarea>`);
    expect(refused.markup).toContain('name="unused" value="“Goods”"');
    const corrected = left.replaceAll("&quot;", '"').replace("!2", "SBXDIR000209");
    const sent = await post("/track/bulk", { numbers: corrected, unused: "“Goods”", once: "9" });
    expect(sent.seen).toContain("1 requested, 0 refused");
    expect(await requests("SBXDIR000209")).toMatchObject([{ scac: "SBXL", refNumbers: ["PO-2, lot 2"] }]);
    const empty = await post("/track/bulk", { numbers: `${header}\nToys,,,`, unused: "“Goods”", once: "10" });
    expect([empty.status, empty.markup]).toEqual([422, expect.stringContaining('name="unused" value="“Goods”"')]);
  });
});

describe("a container that a tracked shipment has", () => {
  const [number, bill] = ["SBXU7144810", "SBXARW600696"];
  const shipment = started(() => addShipment(app.database, account.id, { number: bill, containers: [number] }));
  const warning = `Container ${number} is already tracked with shipment ${bill} .`;
  const stopped = (isStopped: boolean) =>
    app.database.prisma.shipment.updateMany({
      where: { accountId: account.id, id: shipment.id },
      data: {
        lineTrackingStoppedAt: isStopped ? new Date() : null,
        lineTrackingStoppedReason: isStopped ? "no_updates_at_line" : null,
      },
    });

  test("is tracked by its own number after a choice for this number only", async () => {
    for (const { seen, markup } of [
      await read(`/track?number=${number}`),
      await post("/track", { number: " sbxu 714481-0 ", carrier: "SBXL" }),
      await post("/track", { number, carrier: "SBXL", separately: "SBXU0400447" }),
    ]) {
      expect(seen).toContain(warning);
      expect(markup).toContain(`href="/shipments/${shipment.id}"`);
      expect(markup).toContain(`name="separately" value="${number}"`);
    }
    expect(await requests(number)).toEqual([]);
    expect((await post("/track", { number: "SBXU0400447", carrier: "SBXL" })).status).toBe(303);
    expect((await post("/track", { number, carrier: "SBXL", separately: number })).status).toBe(303);
    expect(await requests(number)).toHaveLength(1);
    const again = await post("/track", { number, carrier: "SBXL", separately: number });
    expect(again.markup).toMatch(/id="number-problem">This number is already tracked\./);
  });

  test("is a refused row of a list until it is chosen, and another account has no warning", async () => {
    const [other, another] = ["SBXU7144825", "SBXU7144830"];
    await addShipment(app.database, account.id, { number: "SBXARW600697", containers: [other, another] });
    const numbers = `${other}, SBXL\nSBXDIR000231, SBXL\nSBXDIR000231, SBXL`;
    const first = await post("/track/bulk", { numbers, once: "11" });
    expect(first.seen).toContain("1 requested, 2 refused");
    expect(first.seen).toContain(`Refused. Container ${other} is already tracked with shipment SBXARW600697 .`);
    expect(first.markup).toMatch(
      /This number is already tracked\. <a href="\/shipments\/find\?q=SBXDIR000231">Show<\/a>/,
    );
    expect(first.markup).toContain(`name="separately" value="${other}"`);
    const chosen = { numbers: `${other}, SBXL\n${another}, SBXL`, separately: other, once: "12" };
    expect((await post("/track/bulk", chosen)).seen).toContain("1 requested, 1 refused");
    expect([await requests(other), await requests(another)]).toMatchObject([[{ scac: "SBXL" }], []]);
    const otherVisitor = await app.visit(await app.addAccount());
    expect(visibleText(await (await otherVisitor.get(`/track?number=${another}`)).text())).not.toContain(
      "already tracked",
    );
  });

  test("is tracked without a question once tracking of the shipment has stopped", async () => {
    await stopped(true);
    expect((await read(`/track?number=${number}`)).seen).not.toContain(warning);
    await stopped(false);
    expect((await read(`/track?number=${number}`)).seen).toContain(warning);
  });
});

test("a retry of a failed request has its carrier, references, tags and customer", async () => {
  const customer = "Retry & Sons";
  const form = { number: "SBXDIR000221", carrier: "SBXL", references: "PO-1, PO-2", tags: "retry", customer };
  await post("/track", form);
  const where = { requestNumber: form.number };
  await app.database.prisma.trackingRequest.updateMany({
    where,
    data: { status: "failed", failedReason: "not_found" },
  });
  const { markup } = await read("/tracking-requests?status=failed");
  const path = /<a href="(\/track\?number=SBXDIR000221[^"]*)">Retry/.exec(markup)?.[1]?.replaceAll("&amp;", "&");
  const again = (await read(path ?? "")).markup;
  expect(again).toMatch(/name="references" value="PO-1, PO-2"/);
  expect(again).toMatch(/name="tags" value="retry"/);
  expect(again).toMatch(/name="customer" value="Retry &amp; Sons"/);
  expect((await read("/track?number=X1&customer=00000000-0000-7000-8000-000000000000")).markup).toContain(
    'name="customer" value=""',
  );
  expect(again).toMatch(/name="candidate" value="SBXL" checked/);
});

describe("importing events", () => {
  const header = "scac,number,event_code,classifier,event_time,locode,mode";

  test("accepts a whole file and shows its state", async () => {
    await post("/track", { number: "SBXDIR000301", carrier: "SBXL" });
    const row = "SBXL,SBXDIR000301,DEPA,ACT,2026-03-05T17:45:00+08:00,CNSHA,VESSEL";
    const { status, location } = await post(
      "/track/import",
      {},
      { file: new File([`${header}\n${row}\n`], "events.csv") },
    );
    expect(status).toBe(303);
    expect(location).toMatch(/^\/track\/import\/[0-9a-f-]{36}$/);
    expect((await read(location)).seen).toContain("The file is stored and is being applied.");
    const other = await app.logIn(await app.addAccount());
    expect((await app.request(location, { headers: { cookie: other } })).status).toBe(404);
  });

  test("shows problems by row and column and keeps the text", async () => {
    const text = `${header}\nSBXL,NOTOURS1,DEPA,ACT,2026-03-05T17:45:00+08:00,CNSHA,VESSEL\nSBXL,A1,DEPA,NOW,yesterday,CNSHA,VESSEL`;
    const { status, markup, seen } = await post("/track/import", { text });
    expect(status).toBe(422);
    expect(seen).toContain("Nothing was imported");
    expect(seen).toMatch(/2 classifier .*must be PLN, EST or ACT/);
    expect(markup).toContain("SBXL,NOTOURS1,DEPA");
  });
});
