import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { startApiProcess } from "./harness/api-process.ts";
import { connectMcp } from "./harness/connected-mcp.ts";
import { addPortfolio, type PortfolioShipment } from "./mcp-questions/portfolio.ts";

let shipments: readonly PortfolioShipment[];

const api = started(startApiProcess);
beforeAll(async () => {
  const { accountId } = api.tenants[0];
  shipments = await addPortfolio(api.database, accountId);
  await api.addShipment(api.tenants[1], { number: "MAEU999999999", containers: ["TCLU1234568"] });
}, 240_000);
const mcp = started(() => connectMcp(api));

const jsonOf = (contents: readonly object[]) => JSON.parse((contents[0] as { text: string }).text);

const prompt = async (name: string, input: Record<string, string>) => {
  const { messages } = await mcp.client.getPrompt({ name, arguments: input });
  return messages.map(({ content }) => (content.type === "text" ? content.text : JSON.stringify(content))).join("\n");
};

/** The calls that a prompt names, with their arguments as JSON. */
function callsOf(text: string): [string, object][] {
  const plain = text.replaceAll("page=…", "page=1");
  return [...plain.matchAll(/\b(list_\w+)\(([^)]*)\)/g)].map(([, name = "", input = ""]) => [
    name,
    Object.fromEntries(
      [...input.matchAll(/(\w+)=(\[[^\]]*\]|"[^"]*"|[^,]+)/g)].map(([, key, value = ""]) => [
        key,
        value.startsWith("[") ? value.slice(1, -1).split(", ") : value.replaceAll('"', ""),
      ]),
    ),
  ]);
}

test("the prompts of an account name calls that work", async () => {
  const texts = [
    await prompt("arrivals-this-week", {}),
    await prompt("demurrage-risk", {}),
    await prompt("demurrage-risk", { customer: "Bavaria Motors" }),
    await prompt("customer-status-mail", { customer: "Bavaria Motors" }),
  ];
  const calls = texts.flatMap(callsOf);
  expect(calls.length).toBeGreaterThanOrEqual(6);
  for (const [name, input] of calls) {
    const { isError, structuredContent } = await mcp.client.callTool({
      name,
      arguments: input as Record<string, unknown>,
    });
    expect([name, input, isError, (structuredContent as { warning?: string }).warning]).toEqual([
      name,
      input,
      undefined,
      undefined,
    ]);
  }
  expect(texts[0]).toContain("svc://arrivals");
  await expect(mcp.client.getPrompt({ name: "customer-status-mail", arguments: {} })).rejects.toMatchObject({
    code: -32602,
  });
});

test("a prompt about a container takes its number", async () => {
  const [number = ""] = shipments[3]?.containers ?? [];
  expect(await prompt("check-demurrage", { container_id: number })).toContain(number);
});

test("shipments and arrivals can be read, and only the account's own", async () => {
  const [shipment] = shipments;
  const { contents } = await mcp.client.readResource({ uri: `svc://shipment/${shipment?.bill}` });
  expect(jsonOf(contents)).toMatchObject({
    shipment: { bill_of_lading_number: shipment?.bill },
    containers: [{ container_number: shipment?.containers[0] }],
  });
  const { items } = jsonOf((await mcp.client.readResource({ uri: "svc://arrivals" })).contents);
  const expected = await api.database.pool.query<{ bill: string }>(
    `SELECT bill_of_lading_number AS bill FROM shipments WHERE account_id = $1 AND pod_ata_at IS NULL
       AND pod_eta_at BETWEEN date_trunc('day', now(), 'UTC') AND date_trunc('day', now(), 'UTC') + interval '7 days'
     ORDER BY pod_eta_at`,
    [api.tenants[0].accountId],
  );
  const bills: string[] = items.map((one: { bill_of_lading_number: string }) => one.bill_of_lading_number);
  expect(bills.length).toBeGreaterThan(1);
  expect(bills).toEqual(expected.rows.map(({ bill }) => bill));
  for (const uri of ["svc://shipment/MAEU999999999", "svc://shipment/", "svc://shipment/%ZZ", "svc://departures"]) {
    await expect(mcp.client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  }
});

test("completions see every container, shipment and customer of the account", async () => {
  const complete = async (ref: object, name: string, value: string) =>
    (await mcp.client.complete({ ref: ref as never, argument: { name, value } })).completion.values;
  const last = shipments.at(-1);
  const check = { type: "ref/prompt", name: "check-demurrage" };
  expect(await complete(check, "container_id", last?.containers[0]?.slice(0, 10) ?? "")).toEqual([last?.containers[0]]);
  const shipment = { type: "ref/resource", uri: "svc://shipment/{number}" };
  expect(await complete(shipment, "number", last?.bill ?? "")).toContain(last?.bill);
  const mail = { type: "ref/prompt", name: "customer-status-mail" };
  expect(await complete(mail, "customer", "motors")).toEqual(["Bavaria Motors"]);
  expect(await complete(check, "container_id", "TCLU1234568")).toEqual([]);
});
