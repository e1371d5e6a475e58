import { expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShareLink } from "../testing/add-share-link.ts";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const app = started(() => startTestWeb({ withApi: true }));
const account = started(() => app.addAccount());

/** Text of the shared page of a container that customs hold. */
async function readHeld(number: string, container: object): Promise<string> {
  const { id } = await addShipment(app.database, account.id, { number, containers: ["MSKU0000006"] });
  const held = {
    availabilityKnown: true,
    availableForPickup: false,
    holdsAtPodTerminal: [{ name: "customs", status: "hold", description: null }],
  };
  await app.database.prisma.container.updateMany({ where: { shipmentId: id }, data: { ...held, ...container } });
  const { path } = await addShareLink(app.database, account.id, id, { showsFees: true });
  return visibleText(await (await app.request(path)).text());
}

test("sums the fees of an exam with other ones, which give no hold away", async () => {
  const fee = (type: string, amount: number) => ({ type, amount, currencyCode: "USD" });
  const fees = [fee("demurrage", 4321.5), fee("exam", 300), fee("other", 45)];
  const text = await readHeld("HELDFEES", { feesAtPodTerminal: fees });
  expect(text).toContain("Fees 4,666.50 USD Demurrage 4,321.50 USD Other terminal fees 345.00 USD");
  expect(text).not.toMatch(/exam|customs/i);
});

test.each(["available", "not_available"])("says of a container that is %s that it is not ready yet", async (status) => {
  const text = await readHeld(`HELD${status.length}`, { currentStatus: status });
  expect(text).toContain("MSKU0000006 Not ready for pickup yet");
});
