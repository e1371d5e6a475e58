import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
const read = async (path: string) => visibleText(await (await visitor.get(path)).text());
const usd = (amount: number) => ({ amount, currencyCode: "USD" });

/** Detention by a rule: so much a day from the second day after the pickup. */
const addDetentionRule = (amount: string) =>
  visitor.post("/account/demurrage", {
    name: "Detention",
    kind: "detention",
    direction: "import",
    carrierScac: "",
    portLocode: "",
    terminalCode: "",
    equipmentTypes: "",
    equipmentLengths: "",
    validFrom: "",
    validUntil: "",
    countingStart: "",
    startOffsetDays: "1",
    freeDays: "1",
    freeDayCalendar: "calendar_days",
    chargedDayCalendar: "calendar_days",
    weekendDays: ["6", "7"],
    holidays: "",
    currencyCode: "usd",
    tierDay: ["1"],
    tierAmount: [amount],
  });

/** Adds a shipment of one container that was discharged 20 days ago. */
async function addCharged(number: string, data: object) {
  const { id, containerIds } = await addShipment(app.database, account.id, {
    number: `BL${number}`,
    containers: [number],
  });
  const [containerId = ""] = containerIds;
  const podDischargedAt = new Date(Date.now() - 20 * 86_400_000);
  await app.database.prisma.container.updateMany({
    where: { id: containerId },
    data: { podDischargedAt, podArrivedAt: podDischargedAt, ...data },
  });
  return { id, containerId };
}

test("counts fees whose exceptions are snoozed, as the list does", async () => {
  const number = "CSTU0000010";
  const fees = [
    { type: "demurrage", ...usd(300) },
    { type: "exam", ...usd(385) },
  ];
  const { id, containerId } = await addCharged(number, { feesAtPodTerminal: fees });
  const keys = { containerId, subjectId: containerId, shipmentId: id };
  const over = { days: 2, lastFreeDay: "2026-06-06", amounts: [usd(300)], perDay: usd(150) };
  await addException(app.database, account.id, { ...keys, kind: "last_free_day_over", details: over });
  const fee = await addException(app.database, account.id, { ...keys, kind: "fee", details: { amounts: [usd(385)] } });
  const snoozedUntil = new Date(Date.now() + 86_400_000);
  await app.database.prisma.exception.updateMany({ where: { id: fee }, data: { snoozedUntil } });
  expect(await read(`/containers?q=${number}`)).toContain("685.00 USD 150.00 per day");
  const container = await read(`/containers/${containerId}`);
  expect(container).toContain("Charges 685.00 USD 150.00 USD per day");
  expect(container).toContain("Charges 685.00 USD 150.00 USD per day");
  expect(await read(`/shipments/${id}`)).toContain("Charges 685.00 USD 150.00 USD per day");
});

test.each(["snoozed", "resolved"])("counts the price of a day of a %s detention, as the list does", async (status) => {
  const number = status === "snoozed" ? "CSTU0000046" : "CSTU0000051";
  const { id, containerId } = await addCharged(number, {
    podFullOutAt: new Date(Date.now() - 9 * 86_400_000),
    feesAtPodTerminal: [{ type: "demurrage", ...usd(225) }],
  });
  const exceptionId = await addException(app.database, account.id, {
    containerId,
    subjectId: containerId,
    shipmentId: id,
    kind: "not_returned",
    details: { days: 9, amounts: [usd(225)], perDay: usd(75) },
  });
  const handled =
    status === "snoozed"
      ? { snoozedUntil: new Date(Date.now() + 86_400_000) }
      : { resolvedAt: new Date(), resolution: "by_member" };
  await app.database.prisma.exception.updateMany({ where: { id: exceptionId }, data: handled });
  expect(await read(`/containers?q=${number}`)).toContain("225.00 USD 75.00 per day");
  const container = await read(`/containers/${containerId}`);
  expect(container).toContain("Charges 225.00 USD 75.00 USD per day");
  expect(container).toMatch(new RegExp(`not returned.* 75.00 USD per day ${status}`));
});

test("adds the detention by a rule to the fees of the terminal, also after the return", async () => {
  await addDetentionRule("75.00");
  const dayMs = 86_400_000;
  const out = new Date(Date.now() - 10 * dayMs);
  const times = {
    podFullOutAt: out,
    finalDestinationFullOutAt: out,
    emptyTerminatedAt: new Date(Date.now() - 6 * dayMs),
  };
  const late = await addCharged("CSTU0000025", { ...times, feesAtPodTerminal: [{ type: "demurrage", ...usd(1_650) }] });
  const returned = await addCharged("CSTU0000030", times);
  const lateText = await read(`/containers/${late.containerId}`);
  const [, detention = ""] = /Detention – (\d+)\.00 USD/.exec(lateText) ?? [];
  expect(Number(detention)).toBeGreaterThan(0);
  const sum = new Intl.NumberFormat("en").format(1_650 + Number(detention));
  expect(lateText).toContain(`Charges ${sum}.00 USD`);
  expect(lateText).toContain(`Charges ${sum}.00 USD`);
  const returnedText = await read(`/containers/${returned.containerId}`);
  expect(returnedText).toContain(`Charges ${detention}.00 USD`);
  expect(returnedText).not.toContain("Nothing charged so far");
});

test("sums all containers of a shipment, also more than one page of the API has", async () => {
  const containers = Array.from({ length: 101 }, (_, index) => `CSTU${String(1_000_000 + index)}`);
  const { id } = await addShipment(app.database, account.id, { number: "CSTMANY", containers });
  await app.database.prisma.container.updateMany({
    where: { shipmentId: id },
    data: { feesAtPodTerminal: [{ type: "exam", ...usd(10) }] },
  });
  expect(await read(`/shipments/${id}`)).toContain("Charges 1,010.00 USD");
});

test("links the charges to their explanation, which there is of the present only", async () => {
  const fees = [{ type: "demurrage", ...usd(300) }];
  const { containerId } = await addCharged("CSTU0000097", { feesAtPodTerminal: fees });
  const { prisma } = app.database;
  const createdAt = new Date("2026-05-31T00:00:00Z");
  await prisma.shipment.updateMany({ where: { accountId: account.id }, data: { createdAt } });
  await prisma.container.updateMany({ where: { id: containerId }, data: { createdAt } });
  await prisma.fieldFact.create({
    data: {
      accountId: account.id,
      id: uuidV7.next(),
      subjectType: "container",
      subjectId: containerId,
      field: "feesAtPodTerminal",
      value: fees,
      rule: "E12",
      dataSource: "terminal",
      validFrom: createdAt,
    },
  });
  const markup = async (query: string) => (await visitor.get(`/containers/${containerId}${query}`)).text();
  const link = `href="/containers/${containerId}#demurrage"`;
  expect(await markup("")).toContain(link);
  const then = await markup("?as_of=2026-06-02");
  expect(visibleText(then)).toContain("Charges 300.00 USD");
  expect(then).not.toContain(link);
});
