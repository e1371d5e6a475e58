import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { type CellValue, readXlsx } from "hucre/xlsx";
import { addedDelayDays, addedOverdueDays, addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { headings } from "./headings.ts";

const app = started(() => startTestWeb({ withApi: true }));

const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
beforeAll(async () => {
  const refNumbers = ["=HYPERLINK(1)", "+1", "<b>&\u0007\u001b", "+1"];
  const { id } = await addShipment(app.database, account.id, {
    number: "EXCEL1",
    refNumbers,
    containers: ["XLSU1000002", "XLSU1000001"],
  });
  await app.database.prisma.container.updateMany({
    where: { shipmentId: id },
    data: {
      pickupLfd: new Date("2026-07-09T12:00:00Z"),
      pickupLfdTerminal: new Date("2026-07-09T12:00:00Z"),
      feesAtPodTerminal: [
        { type: "demurrage", amount: 100.1, currencyCode: "USD" },
        { type: "exam", amount: 200.2, currencyCode: "USD" },
      ],
    },
  });
  await app.database.prisma.container.updateMany({
    where: { number: "XLSU1000002" },
    data: {
      feesAtPodTerminal: [
        { type: "exam", amount: 5, currencyCode: "USD" },
        { type: "other", amount: 7, currencyCode: "EUR" },
      ],
    },
  });
});

async function workbook(
  path: string,
  by = visitor,
): Promise<{ readonly head: CellValue[]; readonly rows: CellValue[][] }> {
  const response = await by.get(path);
  expect([path, response.status]).toEqual([path, 200]);
  const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()));
  const [head = [], ...rows] = sheets[0]?.rows ?? [];
  return { head, rows };
}
const csv = async (path: string): Promise<string[][]> => {
  const text = (await (await visitor.get(path)).text()).replace("\uFEFF", "").trim();
  return text.split("\r\n").map((line) => line.split(","));
};

describe("the Excel file of a list", () => {
  test("has the rows and columns of its CSV file, with readable headings", async () => {
    for (const [list, query] of [
      ["containers", "?sort=number"],
      ["containers", "?sort=-number"],
      ["shipments", ""],
      ["shipments", "?file=shown"],
    ] as const) {
      const { head, rows } = await workbook(`/${list}.xlsx${query}`);
      const [columns = [], ...lines] = await csv(`/${list}.csv${query}`);
      expect(head).toEqual(columns.map((column) => headings[column as keyof typeof headings]));
      expect(rows.map(([id]) => id)).toEqual(lines.map(([id]) => id));
    }
    expect((await workbook("/containers.xlsx?q=none&port=ZZZZZ")).rows).toEqual([]);
  });

  test("has dates as dates, numbers as numbers, and texts as texts that run no formula", async () => {
    const response = await visitor.get("/containers.xlsx?sort=number");
    expect(response.headers.get("content-type")).toBe(
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    );
    expect(response.headers.get("content-disposition")).toBe("attachment; filename=containers.xlsx");
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()), { readStyles: true });
    const [head = [], first = []] = sheets[0]?.rows ?? [];
    const at = (column: keyof typeof headings): CellValue => first[head.indexOf(headings[column])] ?? null;
    expect(at("pod_eta_at")).toEqual(new Date("2026-07-05T10:00:00Z"));
    expect(at("last_free_day")).toEqual(new Date("2026-07-09T00:00:00Z"));
    expect(at("delay_days")).toBe(addedDelayDays());
    expect(at("ref_numbers")).toBe("=HYPERLINK(1); +1; <b>&");
    const cells = [...(sheets[0]?.cells?.values() ?? [])];
    expect(cells.filter(({ formula }) => formula !== undefined)).toEqual([]);
  });

  test("has amounts with the decimal places of their currency", async () => {
    const other = await app.addAccount();
    const fees = { KWD: 12.376, JPY: 7500, USD: 1850.5 };
    const containers = ["XLSU3000001", "XLSU3000002", "XLSU3000003"];
    const { containerIds } = await addShipment(app.database, other.id, { number: "EXCELFEES", containers });
    for (const [index, [currencyCode, amount]] of Object.entries(fees).entries()) {
      await app.database.prisma.container.updateMany({
        where: { id: containerIds[index] ?? "" },
        data: { feesAtPodTerminal: [{ type: "exam", amount, currencyCode }] },
      });
    }
    const response = await (await app.visit(other)).get("/containers.xlsx?sort=number");
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()), { readStyles: true });
    const column = sheets[0]?.rows[0]?.indexOf(headings.fees_amount) ?? -1;
    const cells = [1, 2, 3].map((row) => sheets[0]?.cells?.get(`${row},${column}`));
    expect(cells.map((one) => [one?.value, one?.style?.numFmt])).toEqual([
      [12.376, "#,##0.000"],
      [7500, "#,##0"],
      [1850.5, "#,##0.00"],
    ]);
  });

  test("has only what the list shows, with the chosen or default columns", async () => {
    const defaultBook = await workbook("/containers.xlsx?file=shown");
    expect(defaultBook.head.slice(0, 5)).toEqual([
      "Container",
      "Bill of lading or booking",
      "Customer",
      "References",
      "Status",
    ]);
    expect(defaultBook.head).toContain("Port of discharge");
    expect(defaultBook.head).not.toContain("ID");
    const chosen = ["container_number", "bill_of_lading_number", "customer_name", "ref_numbers"];
    const [head] = await csv("/containers.csv?file=shown&columns=carrier,delay");
    expect(head).toEqual([...chosen, "delay_days", "overdue_days", "shipping_line_scac"]);
    const [shipmentRows] = await csv("/shipments.csv?file=shown&columns=containers");
    expect(shipmentRows).toEqual([
      "bill_of_lading_number",
      "customer_name",
      "ref_numbers",
      "tags",
      "containers_total",
      "container_numbers",
    ]);
  });

  test("has all containers of a shipment, of which the list reads ten", async () => {
    const other = await app.addAccount();
    const containers = Array.from({ length: 12 }, (_, index) => `XLSU20000${String(index).padStart(2, "0")}`);
    await addShipment(app.database, other.id, { number: "EXCEL12", containers });
    const read = async (path: string) => (await (await app.visit(other)).get(path)).text();
    for (const path of ["/shipments.csv", "/shipments.csv?file=shown"])
      expect(await read(path)).toContain(containers.join("; "));
  });

  test("has the words of the page, and the times of its clocks with their zones", async () => {
    const { head, rows } = await workbook("/containers.xlsx?file=shown&columns=status,arrival&sort=number");
    expect(head.slice(4)).toEqual([
      "Status",
      "Latest milestone",
      "Tracking stopped (UTC)",
      "Reason for the stop",
      "Arrival, actual or estimated (local)",
      "Arrival is",
      "Time zone of the arrival",
      "Delay (days)",
      "Arrival overdue (days)",
    ]);
    const local = new Date("2026-07-05T12:00:00Z");
    const days = [addedDelayDays(), addedOverdueDays()];
    const shown = ["In transit", "Vessel departed", null, null, local, "ETA", "Europe/Berlin"];
    expect(rows[0]?.slice(4)).toEqual([...shown, ...days]);
    const [, shipment = []] = await csv("/shipments.csv?file=shown&columns=status,departure,arrival");
    const departure = ["", "2026-06-02 12:00", "Asia/Shanghai"];
    expect(shipment.slice(4)).toEqual([
      "In transit",
      "",
      "",
      ...departure,
      "2026-07-05 12:00",
      "ETA",
      "Europe/Berlin",
      ...days.map(String),
    ]);
    const headers = { cookie: `${visitor.cookie}; svc_times=UTC` };
    const inUtc = { ...visitor, get: (path: string) => app.request(path, { headers }) };
    const { rows: utcRows } = await workbook("/containers.xlsx?file=shown&columns=arrival&sort=number", inUtc);
    expect(utcRows[0]?.slice(4)).toEqual([new Date("2026-07-05T10:00:00Z"), "ETA", "UTC", ...days]);
  });

  test("has fees as numbers with their currency, which has no sum where there are several", async () => {
    const columns = ["fees_amount", "fees_currency_code", "terminal_demurrage_amount"] as const;
    const { head, rows } = await workbook("/containers.xlsx?sort=number");
    const amounts = rows.map((row) => columns.map((column) => row[head.indexOf(headings[column])] ?? null));
    expect(amounts).toEqual([
      [300.3, "USD", 100.1],
      [null, "EUR + USD", null],
    ]);
    const [names = [], first = []] = await csv("/containers.csv?sort=number");
    expect(names[names.indexOf("arrival_kind") - 1]).toBe("arrival_at");
    expect(first[names.indexOf("fees")]).toBe('"demurrage 100.1 USD; exam 200.2 USD"');
    expect(first[names.indexOf("fees_amount")]).toBe("300.3");
  });

  test("is offered beside the CSV file, and has nothing of another account", async () => {
    for (const list of ["shipments", "containers"]) {
      const page = await (await visitor.get(`/${list}?port=DEHAM`)).text();
      for (const file of [`${list}.xlsx?port=DEHAM`, `${list}.csv?port=DEHAM&amp;file=shown`])
        expect(page).toContain(`href="/${file}"`);
      expect((await workbook(`/${list}.xlsx`, await app.visit(await app.addAccount()))).rows).toEqual([]);
      const anonymous = await app.request(`/${list}.xlsx`);
      expect(anonymous.headers.get("location")).toMatch(/^\/login/);
      expect((await app.request(`/${list}.xlsx`, { method: "PUT" })).status).toBe(405);
    }
    expect((await workbook("/carriers/performance.xlsx?table=transit_times")).head).toContain("median_transit_days");
  });
});
