import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startTestWeb } from "../testing/start-test-web.ts";

const path = "/account/calendar";
const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const ann = started(() => app.visit(account));

test("a form that is sent twice creates one feed; a member has at most twenty", async () => {
  const id = /name="id" value="([^"]+)"/.exec(await (await ann.get(path)).text())?.[1] ?? "";
  const form = { id, name: "Arrivals", view: "" };
  expect((await ann.post(path, form)).status).toBe(201);
  const repeated = await ann.post(path, form);
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
