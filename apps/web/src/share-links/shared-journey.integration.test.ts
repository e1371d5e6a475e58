import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addObservations } from "../testing/add-observation.ts";
import { addShareLink } from "../testing/add-share-link.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());

test("has the planned transshipments in the journey of each container, for an account with maps", async () => {
  const { prisma } = app.database;
  const mapped = await app.addAccount();
  await prisma.account.update({ where: { id: mapped.id }, data: { features: ["container_route"] } });
  const [own, other] = ["MSKU0000006", "MSKU0000011"];
  const textOf = async (accountId: string, number: string) => {
    const { id } = await addShipment(app.database, accountId, { number, containers: [own, other] });
    const [first, onward] = ["EVER GIVEN", "EVER GREEN"];
    const call = (code: "ARRI" | "DEPA", locode: string, at: string, vessel = first, containerNumber?: string) => ({
      code,
      locode,
      vessel,
      voyage: "034E",
      containerNumber,
      classifier: at < "2027" ? ("ACT" as const) : ("EST" as const),
      at: `${at}T10:00:00.000Z`,
    });
    await addObservations(app.database, accountId, { id, number }, [
      call("DEPA", "CNSHA", "2026-06-02"),
      call("ARRI", "KRPUS", "2027-06-05", first, own),
      call("DEPA", "KRPUS", "2027-06-07", onward, own),
      call("ARRI", "DEHAM", "2027-07-05", onward),
    ]);
    return visibleText(await (await app.request((await addShareLink(app.database, accountId, id, {})).path)).text());
  };
  const text = await textOf(mapped.id, "PUBLICVIA");
  const planned = [
    "MSKU0000006",
    "Shanghai .*Vessel departed",
    "Busan Transshipment arrival ETA Sat, 5 Jun 2027",
    "Transshipment departure ETD Mon, 7 Jun 2027",
    "Hamburg Vessel arrival ETA",
    "MSKU0000011",
  ];
  expect(text).toMatch(new RegExp(planned.join(".*")));
  expect(/MSKU0000011((?!MSKU0000011).)*? Route /.exec(text)?.[0]).not.toContain("Busan");
  expect(await textOf(account.id, "PUBLICDIRECT")).not.toContain("Busan");
});

test("does not name the source of a milestone that a terminal reported", async () => {
  const { id } = await addShipment(app.database, account.id, { number: "PUBLICSRC", containers: ["MSKU0000006"] });
  await app.database.prisma.transportEvent.updateMany({ where: { shipmentId: id }, data: { dataSource: "terminal" } });
  const { path } = await addShareLink(app.database, account.id, id, {});
  const text = visibleText(await (await app.request(path)).text());
  expect(text).toContain("Journey Shanghai Vessel loaded Tue 2 Jun, 11:00 GMT+8");
});

test("shows the state of many containers, and their journeys up to 50", async () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => `MSKU${String(n).padStart(7, "0")}`);
  const [fifty, more] = await Promise.all([
    addShipment(app.database, account.id, { number: "PUBLIC8", containers: numbers(50) }),
    addShipment(app.database, account.id, { number: "PUBLIC9", containers: numbers(51) }),
  ]);
  const count = async (id: string, text: string) =>
    (await (await app.request((await addShareLink(app.database, account.id, id, {})).path)).text()).split(text).length -
    1;
  expect([await count(fifty.id, "MSKU"), await count(fifty.id, "<details")]).toEqual([50, 50]);
  expect([await count(more.id, "MSKU"), await count(more.id, "<details")]).toEqual([51, 0]);
});
