import { expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));

test("the audit log names customers and members instead of their ids, and times as other pages do", async () => {
  const account = await app.addAccount();
  const owner = await app.visit(account);
  const { id } = await addShipment(app.database, account.id, { number: "AUDITED1" });
  const edit = { references: "PO-1", tags: "", note: "", customer: "Kite Imports" };
  await owner.post(`/shipments/${id}/edit`, edit);
  const { userId } = await app.database.prisma.membership.findFirstOrThrow({ where: { accountId: account.id } });
  const { email } = await app.database.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const unknown = uuidV7.next();
  const event = { accountId: account.id, actorType: "operator", createdAt: new Date("2026-12-24T17:08:10Z") };
  const changes = { owner_user_id: { from: unknown, to: userId } };
  const rule = Object.fromEntries(["name", "kind", "free_days", "tiers"].map((name) => [name, { from: null, to: 1 }]));
  await app.database.prisma.auditEvent.createMany({
    data: [
      { ...event, action: "exception.updated", subjectType: "exception", subjectName: "hold", changes },
      { ...event, action: "member.updated", subjectType: "member", subjectId: userId, changes: {} },
      { ...event, action: "demurrage_rule.created", subjectType: "demurrage_rule", subjectName: "Kite", changes: rule },
    ],
  });

  const markup = await (await owner.get("/account/audit")).text();
  expect(markup).toContain("<summary>4 fields</summary>");
  const pageText = visibleText(markup);
  expect(pageText).toMatch(/AUDITED1 .*customer Kite Imports/);
  expect(pageText).toContain("references none → PO-1");
  expect(pageText).toContain(
    `24 Dec 2026, 17:08 UTC Operator of the service Exception updated Other hold owner ${unknown} → ${email}`,
  );
  expect(pageText).toContain(`Member updated ${email}`);

  const filtered = async (query: string) => visibleText(await (await owner.get(`/account/audit?${query}`)).text());
  expect(markup).toContain(`<option value="${userId}">${email}</option>`);
  const byMember = await filtered(`by=${userId}`);
  expect([byMember.includes("customer Kite Imports"), byMember.includes("Other hold")]).toEqual([true, false]);
  expect(await filtered("by=operator&subject=exception&from=2026-12-24&to=2026-12-24")).toContain("Other hold");
  expect(await filtered("by=operator&from=2026-12-25")).toContain("No changes match.");
  expect(await filtered("by=operator&to=2026-12-23")).toContain("No changes match.");

  const file = await owner.get("/account/audit.csv?by=operator&subject=exception");
  expect(file.headers.get("content-disposition")).toBe("attachment; filename=audit-log.csv");
  const [header, line, ...others] = (await file.text()).trim().split(/\r?\n/);
  expect(header).toContain("created_at,actor_type,actor_id,actor_name,action");
  expect([line?.startsWith("2026-12-24T17:08:10"), others]).toEqual([true, []]);
});
