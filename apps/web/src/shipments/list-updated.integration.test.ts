import { beforeAll, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";

const minuteMs = 60_000;

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;

beforeAll(async () => {
  const account = await app.addAccount();
  cookie = await app.logIn(account);
  const changed = {
    FRESH1: new Date(Date.now() - 3 * minuteMs - 5_000),
    MIDDLE1: new Date(Date.now() - 26 * 60 * minuteMs),
    OLD1: new Date("2026-06-01T10:00:00Z"),
    UNKNOWN1: null,
  };
  for (const [number, lastChangedAt] of Object.entries(changed)) {
    const { id } = await addShipment(app.database, account.id, { number, containers: [`UPDU${number}`] });
    const subjectId = uuidV7.next();
    const subject = { id: subjectId, scac: "SBXL", kind: "bill_of_lading", number, createdAt: new Date() };
    await app.database.prisma.trackingSubject.create({ data: { accountId: account.id, ...subject, lastChangedAt } });
    // A change of the record is none of the carrier.
    const data = { subjectId, updatedAt: new Date(), tags: ["here"] };
    await app.database.prisma.shipment.updateMany({ where: { id }, data });
  }
});

const read = async (path: string, zone?: string): Promise<string> => {
  const sent = zone === undefined ? cookie : `${cookie}; svc_times=${zone}`;
  return (await app.request(path, { headers: { cookie: sent } })).text();
};
const order = (markup: string) =>
  [...markup.matchAll(/class="row-link"[^>]*><span\s+class="number">(\w+)</g)].map(([, number]) => number);

/** The heading of a column with its link. */
const heading = (markup: string, label: string) => {
  const [, attributes, path] =
    new RegExp(`<th scope="col"(?: class="wide")?([^>]*)><a href="([^"]+)">${label}<`).exec(markup) ?? [];
  return { attributes: attributes?.trim(), path: path?.replaceAll("&amp;", "&") };
};

test("each row says how long ago the carrier changed it, and exactly when in the zone of the reader's choice", async () => {
  for (const list of ["/shipments", "/containers"]) {
    const markup = await read(list);
    expect(markup).toMatch(/FRESH1[\s\S]*data-label="Carrier update">[\s\S]*>3 minutes ago<\/time>/);
    expect(markup).toContain(">1 day ago</time>");
    expect(markup).toContain("The carrier has reported nothing yet");
  }
  expect(await read("/shipments")).toContain('<span class="exact muted">1 Jun 2026, 10:00 UTC</span>');
  expect(await read("/shipments", "Asia/Kolkata")).toContain("1 Jun 2026, 15:30 GMT+5:30</span>");
});

test("sorts by its headings in both directions, within the filters", async () => {
  const first = heading(await read("/shipments?tag=here&page_size=50"), "Carrier update");
  expect(first).toEqual({ attributes: "", path: "/shipments?tag=here&sort=-last_changed_at&page_size=50" });
  const latest = await read(first.path ?? "");
  expect(order(latest)).toEqual(["FRESH1", "MIDDLE1", "OLD1", "UNKNOWN1"]);
  const again = heading(latest, "Carrier update");
  expect(again).toEqual({
    attributes: 'aria-sort="descending"',
    path: "/shipments?tag=here&sort=last_changed_at&page_size=50",
  });
  const oldest = await read(again.path ?? "");
  expect(order(oldest)).toEqual(["OLD1", "MIDDLE1", "FRESH1", "UNKNOWN1"]);
  expect(heading(oldest, "Carrier update").attributes).toBe('aria-sort="ascending"');
  expect(heading(oldest, "Arrival")).toEqual({
    attributes: "",
    path: "/shipments?tag=here&sort=arrival&page_size=50",
  });
});

test("containers have the same order, and addresses with the earlier sort key remain valid", async () => {
  const numbers = async (sort: string) => order(await read(`/containers?sort=${sort}`));
  expect(await numbers("-last_changed_at")).toEqual(["UPDUFRESH1", "UPDUMIDDLE1", "UPDUOLD1", "UPDUUNKNOWN1"]);
  expect(await numbers("last_changed_at")).toEqual(["UPDUOLD1", "UPDUMIDDLE1", "UPDUFRESH1", "UPDUUNKNOWN1"]);
  expect(order(await read("/shipments?sort=-updated_at"))).toEqual(["UNKNOWN1", "OLD1", "MIDDLE1", "FRESH1"]);
});
