import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { originalFields } from "../testing/original-fields.ts";
import { type ApiProxy, startApiProxy } from "../testing/start-api-proxy.ts";
import { startTestWeb, type TestWeb, type Visitor } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const colleague = started(async () => app.visit(await app.addMember(account, "operator")));
let proxy: ApiProxy;
let proxied: TestWeb;
let visitor: Visitor;
/** Runs before each request of the visitor's pages to the API. */
let intercept: (call: string) => Promise<"drop" | undefined>;
let path: string;

beforeAll(async () => {
  proxy = await startApiProxy(app.apiBaseUrl, (call) => intercept(call));
  proxied = await startTestWeb({ database: app, runningApi: proxy.baseUrl });
  const stamps = { createdAt: new Date(), updatedAt: new Date() };
  const definition = { accountId: account.id, entityType: "Container", dataType: "short_text", ...stamps };
  await app.database.prisma.customFieldDefinition.createMany({
    data: ["Gate", "Yard"].map((displayName) => ({
      ...definition,
      id: uuidV7.next(),
      displayName,
      apiSlug: displayName.toLowerCase(),
    })),
  });
  intercept = async () => undefined;
  visitor = await proxied.visit(account);
});
afterAll(async () => {
  await proxied.close();
  await proxy.close();
});
beforeEach(async () => {
  intercept = async () => undefined;
  const number = `PARTS${Date.now()}`;
  const { containerIds } = await addShipment(app.database, account.id, { number, containers: ["PRTU1000001"] });
  path = `/containers/${containerIds[0]}/edit`;
});

const opened = async () => originalFields(await (await visitor.get(path)).text());
const form = (references: string, gate: string, yard = "") => ({
  references,
  "custom-gate": gate,
  "custom-yard": yard,
});

/** Saves the colleague's form before the first call that matches. */
const interceptWith = (matches: RegExp, theirs: ReturnType<typeof form>) => {
  let isSaved = false;
  intercept = async (call) => {
    if (isSaved || !matches.test(call)) return undefined;
    isSaved = true;
    expect((await colleague.post(path, theirs)).status).toBe(303);
    return undefined;
  };
};

test("says what is saved and what is not when the API goes away in between", async () => {
  intercept = async (call) => (/^POST .*custom_fields/.test(call) ? "drop" : undefined);
  const response = await visitor.post(path, { ...(await opened()), ...form("PO-1", "7B", "Y2") });
  expect([response.status, visibleText(await response.text())]).toEqual([
    422,
    expect.stringContaining("The API is not available. Saved: References. Not saved: Gate, Yard. Try again soon."),
  ]);
  intercept = async (call) => (/^(POST|PATCH)/.test(call) ? "drop" : undefined);
  const nothing = await visitor.post(path, { ...(await opened()), ...form("PO-2", "") });
  expect(visibleText(await nothing.text())).toContain("The API is not available. Nothing was saved. Try again soon.");
});

test.each([
  ["that had none", "", /^POST .*custom_fields/],
  ["that is read before it is written", "6A", /^GET .*\/custom_fields\/[^/]+$/],
  ["that is written", "6A", /^PATCH .*custom_fields/],
])("does not overwrite a value %s that a colleague saves meanwhile", async (_of, before, call) => {
  if (before !== "") await colleague.post(path, form("", before));
  const own = { ...(await opened()), ...form("PO-1", "7B") };
  interceptWith(call, form("PO-1", "8C"));
  const response = await visitor.post(path, own);
  const markup = await response.text();
  expect([response.status, visibleText(markup)]).toEqual([
    412,
    expect.stringContaining(
      "The container was changed while you edited it. Saved: References. Gate: now 8C. The form has these values",
    ),
  ]);
  const again = await visitor.post(path, { ...originalFields(markup), ...form("PO-1", "7B") });
  expect(again.status).toBe(303);
  expect(await opened()).toMatchObject({ "before-custom-gate": "7B", "before-references": "PO-1" });
});

test("does not remove a value that a colleague changes meanwhile", async () => {
  await colleague.post(path, form("", "6A"));
  const own = { ...(await opened()), ...form("", "") };
  interceptWith(/^DELETE .*custom_fields/, form("", "8C"));
  const response = await visitor.post(path, own);
  expect([response.status, visibleText(await response.text())]).toEqual([
    412,
    expect.stringContaining("Nothing is saved yet. Gate: now 8C."),
  ]);
});
