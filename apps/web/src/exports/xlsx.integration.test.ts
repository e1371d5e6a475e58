import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { type CellValue, readXlsx } from "hucre/xlsx";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";

const app = started(() => startTestWeb({ withApi: true }));

const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
beforeAll(async () => {
  const refNumbers = ["=HYPERLINK(1)", "+1", "<b>&\u0007\u001b"];
  const { id } = await addShipment(app.database, account.id, {
    number: "EXCEL1",
    refNumbers,
    containers: ["XLSU1000002", "XLSU1000001"],
  });
  await app.database.prisma.container.updateMany({
    where: { shipmentId: id },
    data: { pickupLfd: new Date("2026-07-09T12:00:00Z"), pickupLfdTerminal: new Date("2026-07-09T12:00:00Z") },
  });
});

async function workbook(
  path: string,
  by = visitor,
): Promise<{ readonly head: CellValue[]; readonly rows: CellValue[][] }> {
  const answer = await by.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()));
  const [head = [], ...rows] = sheets[0]?.rows ?? [];
  return { head, rows };
}
const csv = async (path: string): Promise<string[][]> => {
  const text = (await (await visitor.get(path)).text()).replace("\uFEFF", "").trim();
  return text.split("\r\n").map((line) => line.split(","));
};

describe("[issue 17] the Excel file of a list", () => {
  test("has the rows and columns of its CSV file", async () => {
    for (const [list, query] of [
      ["containers", "?sort=number"],
      ["containers", "?sort=-number"],
      ["shipments", ""],
    ] as const) {
      const { head, rows } = await workbook(`/${list}.xlsx${query}`);
      const [columns = [], ...lines] = await csv(`/${list}.csv${query}`);
      expect(head).toEqual(columns);
      expect(rows.map(([id]) => id)).toEqual(lines.map(([id]) => id));
    }
    expect((await workbook("/containers.xlsx?q=none&port=ZZZZZ")).rows).toEqual([]);
  });

  test("has dates as dates, numbers as numbers, and texts as texts that run no formula", async () => {
    const answer = await visitor.get("/containers.xlsx?sort=number");
    expect(answer.headers.get("content-type")).toBe(
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    );
    expect(answer.headers.get("content-disposition")).toBe("attachment; filename=containers.xlsx");
    const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()), { readStyles: true });
    const [head = [], first = []] = sheets[0]?.rows ?? [];
    const at = (column: string): CellValue => first[head.indexOf(column)] ?? null;
    expect(at("pod_eta_at")).toEqual(new Date("2026-07-05T10:00:00Z"));
    expect(at("last_free_day")).toEqual(new Date("2026-07-09T00:00:00Z"));
    expect(at("delay_days")).toBe(3);
    expect(at("ref_numbers")).toBe("=HYPERLINK(1); +1; <b>&");
    const cells = [...(sheets[0]?.cells?.values() ?? [])];
    expect(cells.filter(({ formula }) => formula !== undefined)).toEqual([]);
  });

  test("is offered beside the CSV file, and has nothing of another account", async () => {
    for (const list of ["shipments", "containers"]) {
      expect(await (await visitor.get(`/${list}?port=DEHAM`)).text()).toContain(`href="/${list}.xlsx?port=DEHAM"`);
      expect((await workbook(`/${list}.xlsx`, await app.visit(await app.addAccount()))).rows).toEqual([]);
      const anonymous = await app.request(`/${list}.xlsx`);
      expect(anonymous.headers.get("location")).toMatch(/^\/login/);
      expect((await app.request(`/${list}.xlsx`, { method: "PUT" })).status).toBe(405);
    }
    expect((await workbook("/carriers/performance.xlsx?table=transit_times")).head).toContain("median_transit_days");
  });
});
