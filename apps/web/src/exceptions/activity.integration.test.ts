import { beforeAll, describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
let id: string;
let containerId: string;

beforeAll(async () => {
  const shipment = await addShipment(app.database, account.id, { number: "ACT1", containers: ["ACTU1000001"] });
  [containerId = ""] = shipment.containerIds;
  const keys = { containerId, subjectId: containerId, shipmentId: shipment.id };
  id = await addException(app.database, account.id, { ...keys, kind: "last_free_day_over", details: { days: 4 } });
});

const act = (form: Record<string, string>) => visitor.post(`/attention/${id}`, form);
const activity = async (reader = visitor): Promise<string> => {
  const markup = await (await reader.get(`/attention/${id}`)).text();
  return visibleText(/<ol class="plain activity">.*?<\/ol>/s.exec(markup)?.[0] ?? "").trim();
};

describe("the activity of an exception", () => {
  test("begins when it was opened", async () => {
    expect(await activity()).toMatch(/^\d+ \w+ 20\d\d, \d\d:\d\d UTC · Automatic Opened: Last free day over$/);
  });

  test("has what members did, the newest first, with the text of notes and the owners by their addresses", async () => {
    const colleague = await app.addMember(account, "operator");
    await act({ action: "take" });
    await act({ action: "assign", owner: colleague.email, note: `Ask <b> @${account.email}` });
    await act({ action: "snooze_3" });
    await act({ action: "resolve" });
    await act({ action: "open" });
    await act({ action: "release" });
    const pageText = await activity();
    const order = [
      `${account.email} Without an owner`,
      `${account.email} Reopened`,
      `${account.email} Resolved`,
      "Snoozed until ",
      `Assigned to ${colleague.email}`,
      `Note: Ask &lt;b&gt; @${account.email}`,
      `Assigned to ${account.email}`,
      "Opened: Last free day over",
    ];
    const places = order.map((text) => pageText.indexOf(text));
    expect([pageText, places]).toEqual([pageText, places.toSorted((one, other) => one - other)]);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    const viewer = await app.visit(await app.addMember(account, "viewer"));
    expect(await activity(viewer)).toBe(pageText);
    const otherVisitor = await app.visit(await app.addAccount());
    expect((await otherVisitor.get(`/attention/${id}`)).status).toBe(404);
  });

  test("has the changes of what the rule reads since then, with their source", async () => {
    const [before, since] = [new Date(Date.now() - 7_200_000), new Date(Date.now() - 600_000)];
    const fact = (field: string, value: unknown, validFrom: Date, supersededAt: Date | null) => ({
      accountId: account.id,
      id: uuidV7.next(),
      subjectType: "container",
      subjectId: containerId,
      field,
      value: value as string,
      validFrom,
      supersededAt,
      rule: "pickup",
      dataSource: "terminal",
    });
    await app.database.prisma.fieldFact.createMany({
      data: [
        fact("pickupLfdTerminal", "2026-06-05T00:00:00.000Z", before, since),
        fact("pickupLfdTerminal", "2026-06-06T00:00:00.000Z", since, null),
        fact("locationAtPodTerminal", "Z-9", since, null),
      ],
    });
    const pageText = await activity();
    expect(pageText).toMatch(/Terminal Last free day by the terminal \w+, 5 Jun 2026 → \w+, 6 Jun 2026/);
    expect(pageText.match(/by the terminal/g)).toHaveLength(1);
    expect(pageText).not.toContain("Z-9");
  });

  test("folds fees that grow by the day into one entry, with the single days in it", async () => {
    const now = Date.now();
    const day = (number: number) => new Date(now + (number - 10) * 86_400_000);
    const fees = (amount: number) => [{ type: "demurrage", amount, currency_code: "USD" }];
    await app.database.prisma.exception.updateMany({ where: { id }, data: { openedAt: day(0) } });
    await app.database.prisma.fieldFact.createMany({
      data: Array.from({ length: 5 }, (_, index) => ({
        accountId: account.id,
        id: uuidV7.next(),
        subjectType: "container",
        subjectId: containerId,
        field: "feesAtPodTerminal",
        value: fees(150 * (index + 1)),
        validFrom: day(index + 1),
        supersededAt: index === 4 ? null : day(index + 2),
        rule: "pickup",
        dataSource: "terminal",
      })),
    });
    const markup = await (await visitor.get(`/attention/${id}`)).text();
    const pageText = visibleText(markup);
    const growth = "Terminal Demurrage grew by 150.00 USD per day to 750.00 USD 5 changes";
    expect(pageText).toMatch(new RegExp(`\\d+ \\w+ – \\d+ \\w+ · ${growth}`));
    const folded = visibleText(/<details class="run">.*?<\/details>/s.exec(markup)?.[0] ?? "");
    expect(folded.match(/Demurrage [\d.]+ USD → Demurrage [\d.]+ USD/g)).toHaveLength(4);
  });

  test("has the end of a snooze and of the condition", async () => {
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await app.database.prisma.exception.updateMany({
      where: { id },
      data: { snoozedUntil: minutesAgo(30), resolvedAt: minutesAgo(5), endedAt: minutesAgo(5), resolution: "cleared" },
    });
    const pageText = await activity();
    expect(pageText).toContain("Automatic Resolved: the condition ended");
    expect(pageText).toContain("Automatic Snooze ended");
    await app.database.prisma.exception.updateMany({ where: { id }, data: { resolution: "by_member" } });
    expect(await activity()).toContain("Automatic The condition ended");
  });
});
