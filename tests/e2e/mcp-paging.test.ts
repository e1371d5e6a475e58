import { beforeAll, expect, test } from "@jest/globals";
import { containerCheckDigit } from "@svc/domain/identifiers";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { startApiProcess } from "./harness/api-process.ts";
import { connectMcp } from "./harness/connected-mcp.ts";

const containerCount = 60;
const eventCount = 70;
const shipmentCount = 45;
const bill = "MAEU262175000";

const numbers = Array.from({ length: containerCount }, (_, index) => {
  const firstTen = `MSKU${300_000 + index}`;
  return `${firstTen}${containerCheckDigit(firstTen)}`;
});
const [first = ""] = numbers;

const api = started(startApiProcess);
const shipment = started(() => api.addShipment(api.tenants[0], { number: bill, containers: numbers }));
beforeAll(async () => {
  for (let index = 0; index < eventCount; index++) await addEvent(index);
}, 180_000);
const mcp = started(() => connectMcp(api));

/** The events are hours apart, in the order of their index. */
async function addEvent(index: number): Promise<void> {
  await api.database.prisma.transportEvent.create({
    data: {
      accountId: api.tenants[0].accountId,
      id: uuidV7.next(),
      shipmentId: shipment.id,
      containerId: shipment.containerIds[0] ?? "",
      event: "vessel_arrived",
      locationLocode: "NLRTM",
      occurredAt: new Date(Date.UTC(2026, 0, 1, index)),
      timePrecision: "exact",
      createdAt: new Date(),
      milestoneKey: `vessel_arrived ${index}`,
      dataSource: "shipping_line",
    },
  });
}

type Content = Record<string, unknown> & { readonly next_page?: number };

/** All pages of one list; `between` happens after each of them. */
async function readAll(
  name: string,
  input: Record<string, unknown>,
  rowsOf: (content: Content) => readonly unknown[],
  between: (page: number) => Promise<unknown> = async () => undefined,
): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let page: number | undefined = 1; page !== undefined; ) {
    const { structuredContent, isError } = await mcp.client.callTool({ name, arguments: { ...input, page } });
    expect(isError).toBeFalsy();
    const content = structuredContent as Content;
    rows.push(...rowsOf(content));
    await between(page);
    page = content.next_page;
  }
  return rows;
}

test("all containers of a shipment are on its pages, each once", async () => {
  const listed = await readAll("get_shipment_details", { id: bill, include: ["containers"] }, ({ containers }) =>
    (containers as { container_number: string }[]).map((row) => row.container_number),
  );
  expect(listed).toEqual(numbers);
});

test("all events are on the pages of a container, also while new ones are reported", async () => {
  const times = await readAll(
    "get_container_transport_events",
    { id: first },
    ({ events }) => (events as { at: string }[]).map(({ at }) => at),
    (page) => addEvent(eventCount + page),
  );
  const expected = Array.from({ length: eventCount }, (_, hour) => Date.UTC(2026, 0, 1, hour));
  const read = new Set(times.map((at) => Date.parse(String(at))));
  expect(expected.filter((at) => !read.has(at))).toEqual([]);
});

test("all shipments are on the pages of the list, also while new ones are tracked", async () => {
  const bills = Array.from({ length: shipmentCount }, (_, index) => `MAEU5000000${10 + index}`);
  for (const number of bills) await api.addShipment(api.tenants[0], { number });
  const read = await readAll(
    "list_shipments",
    { page_size: 10 },
    ({ items }) => (items as { bill_of_lading_number: string }[]).map((row) => row.bill_of_lading_number),
    (page) => api.addShipment(api.tenants[0], { number: `MAEU6000000${page}0` }),
  );
  expect([...bills, bill].filter((number) => !read.includes(number))).toEqual([]);
});
