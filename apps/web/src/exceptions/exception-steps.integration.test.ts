import { beforeAll, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addException } from "../testing/add-exception.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());
const visitor = started(() => app.visit(account));
const ids = { today: "", over: "", hold: "" };

/** A hold was cleared, and a last free day that was today is over. */
beforeAll(async () => {
  const { id, containerIds } = await addShipment(app.database, account.id, {
    number: "STEP1",
    containers: ["STEU1000001"],
  });
  const [containerId = ""] = containerIds;
  const keys = { containerId, subjectId: containerId, shipmentId: id };
  ids.today = await addException(app.database, account.id, { ...keys, kind: "last_free_day_today" });
  ids.over = await addException(app.database, account.id, {
    ...keys,
    kind: "last_free_day_over",
    details: { days: 1 },
  });
  ids.hold = await addException(app.database, account.id, { ...keys, kind: "hold", details: { holds: ["freight"] } });
  await visitor.post(`/attention/${ids.today}`, { action: "take" });
  const { openedAt } = await app.database.prisma.exception.findFirstOrThrow({ where: { id: ids.over } });
  const end = (one: string, resolution: string) =>
    app.database.prisma.exception.updateMany({
      where: { id: one },
      data: { endedAt: openedAt, resolvedAt: openedAt, resolution },
    });
  await end(ids.today, "superseded");
  await end(ids.hold, "cleared");
});

const read = async (path: string): Promise<string> => visibleText(await (await visitor.get(path)).text());

test("a superseded exception is not counted nor listed as resolved", async () => {
  expect(await read("/attention")).toContain("Open 1 Snoozed 0 Resolved 1 ");
  const resolved = await read("/attention?status=resolved");
  expect(resolved).toContain("On hold: freight");
  expect(resolved).not.toContain("Last free day was");
  expect(resolved).toContain("All kinds 1 Other hold 1");
});

test("the next step names the step before it and its owner", async () => {
  expect(await read(`/attention/${ids.over}`)).toContain(
    `Opened: Last free day over Follows: Last free day today , owned by ${account.email}`,
  );
});

test("the page of a superseded exception leads to the next step, and a refused action says why", async () => {
  const markup = await (await visitor.get(`/attention/${ids.today}`)).text();
  expect(markup).toContain(`<a href="/attention/${ids.over}">Last free day over</a>, which took its place.`);
  expect(visibleText(markup)).toMatch(/Last free day today|Last free day was/);
  expect(markup).toContain('<span class="state calm">Superseded</span>');
  expect(markup).not.toContain('id="handle"');
  const conflict = await visitor.post(`/attention/${ids.today}`, { action: "take", back: "/attention" });
  expect([conflict.status, visibleText(await conflict.text())]).toEqual([
    422,
    expect.stringContaining("took its place"),
  ]);
  const input = { action: "save", note: "Truck booked" };
  const refused = await visitor.post(`/attention/${ids.today}`, input);
  const refusedPage = await refused.text();
  expect([refused.status, visibleText(refusedPage)]).toEqual([422, expect.stringContaining("took its place")]);
  expect(refusedPage).toContain("Truck booked");
});

test("a connection at risk leads to the missed transshipment of the shipment", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "STEP2", containers: ["STEU2000001"] });
  const keys = { subjectId: id, shipmentId: id };
  const place = { locode: "SGSIN", name: "Singapore" };
  const risk = await addException(app.database, account.id, {
    ...keys,
    kind: "connection_at_risk",
    details: { place },
  });
  const missed = await addException(app.database, account.id, {
    ...keys,
    kind: "missed_transshipment",
    details: { place },
  });
  const { openedAt } = await app.database.prisma.exception.findFirstOrThrow({ where: { id: missed } });
  await app.database.prisma.exception.updateMany({
    where: { id: risk },
    data: { endedAt: openedAt, resolvedAt: openedAt, resolution: "superseded" },
  });
  expect(await read(`/attention/${risk}`)).toContain("Superseded by Missed transshipment , which took its place.");
  expect(await read(`/attention/${missed}`)).toContain("Follows: Connection at risk");
});

test("a delay of the shipment goes on as that of the container that is late, and not as one of another container", async () => {
  const { id, containerIds } = await addShipment(app.database, account.id, {
    number: "STEP5",
    containers: ["STEU5000001", "STEU5000002"],
  });
  const add = (containerId: string | null) =>
    addException(app.database, account.id, {
      subjectId: containerId ?? id,
      shipmentId: id,
      ...(containerId !== null && { containerId }),
      kind: "eta_delay",
      details: { days: 3, estimatedArrivalDate: "2026-07-05" },
    });
  const before = await add(null);
  const [one = "", other = ""] = [await add(containerIds[0] ?? ""), await add(containerIds[1] ?? "")];
  await visitor.post(`/attention/${before}`, { action: "take" });
  const { openedAt } = await app.database.prisma.exception.findFirstOrThrow({ where: { id: one } });
  const data = { endedAt: openedAt, resolvedAt: openedAt, resolution: "superseded" };
  await app.database.prisma.exception.updateMany({ where: { id: before }, data });
  expect(await read(`/attention/${one}`)).toContain(`Follows: ETA delay of STEP5 , owned by ${account.email}`);
  expect(await read(`/attention/${other}`)).not.toContain("of STEU5000001");
  expect(await read(`/attention/${before}`)).toContain("Superseded by ETA delay of STEU5000001");
});
