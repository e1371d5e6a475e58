import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startTestWeb } from "../testing/start-test-web.ts";

const path = "/account/calendar";
const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const ann = started(() => app.visit(account));

const addressIn = (text: string) => /\/calendar\/[\w-]{43}\.ics/.exec(text)?.[0];

test("a form that is sent twice creates one feed and shows its address again; a member has at most twenty", async () => {
  const id = /name="id" value="([^"]+)"/.exec(await (await ann.get(path)).text())?.[1] ?? "";
  const form = { id, name: "Arrivals", view: "" };
  const [first, second] = await Promise.all([ann.post(path, form), ann.post(path, form)]);
  expect([first.status, second.status]).toEqual([201, 201]);
  const address = addressIn(await first.text());
  expect([address !== undefined, addressIn(await second.text())]).toEqual([true, address]);
  const { lastReadAt } = await app.database.prisma.calendarFeed.findFirstOrThrow({ where: { id } });
  expect(lastReadAt).toBeNull();
  expect((await ann.post(`${path}/${id}/renew`, {})).status).toBe(200);
  expect((await ann.post(path, form)).headers.get("location")).toBe(`${path}?done=made`);
  const repeated = await ann.post(path, { ...form, name: "Departures" });
  expect(repeated.headers.get("location")).toBe(`${path}?done=made`);
  expect((await ann.post(path, { id: "", name: " ", view: "" })).status).toBe(422);
  const responses = await Promise.all(
    Array.from({ length: 22 }, () => ann.post(path, { id: "", name: "x", view: "" })),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(19);
  const feeds = await app.database.prisma.calendarFeed.findMany({ where: { accountId: account.id } });
  expect(feeds).toHaveLength(20);
  expect(await (await ann.get(path)).text()).not.toContain("Create calendar");
});
