import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { pageSchema } from "@svc/jsonapi/documents";
import { AccountChangeResource } from "@svc/jsonapi/history";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { insertShipment } from "../testing/rows.ts";
import { startTestApi } from "../testing/start-test-api.ts";

const api = started(startTestApi);
const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000);

test("GET /changes: changed attributes of all records since then, with the value before", async () => {
  const changed = await insertShipment(api.database, api.account.id);
  const other = await insertShipment(api.database, api.account.id);
  const insertFact = (value: string, validFrom: Date, supersededAt: Date | null) =>
    api.database.prisma.fieldFact.create({
      data: {
        accountId: api.account.id,
        id: uuidV7.next(),
        subjectType: "shipment",
        subjectId: changed,
        field: "podEtaAt",
        value,
        rule: "E12",
        dataSource: "shipping_line",
        validFrom,
        supersededAt,
      },
    });
  const changedAt = daysFromNow(-0.1);
  await insertFact("2026-12-01T00:00:00.000Z", daysFromNow(-5), changedAt);
  await insertFact("2026-12-05T00:00:00.000Z", changedAt, null);
  const where = { accountId_id: { accountId: api.account.id, id: changed } };
  await api.database.prisma.shipment.update({ where, data: { updatedAt: changedAt } });
  // The rows are relative to the present time, and so is the default of the filter by time.
  api.setNow(instant(new Date()));
  const { status, body } = await api.request("/changes?filter[field]=pod_eta_at");
  expect([status, pageSchema(AccountChangeResource.strict()).safeParse(body).error]).toEqual([200, undefined]);
  expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
    {
      record_type: "shipment",
      record_id: changed,
      shipment_id: changed,
      field: "pod_eta_at",
      old_value: "2026-12-01T00:00:00.000Z",
      new_value: "2026-12-05T00:00:00.000Z",
    },
  ]);
  const earlier = daysFromNow(-6).toISOString();
  expect((await api.request(`/changes?filter[since]=${earlier}`)).body.data).toHaveLength(2);
  const shipmentChanges = async (id: string) =>
    (await api.request(`/changes?filter[since]=${earlier}&filter[shipment]=${id}`)).body.data.length;
  expect([await shipmentChanges(changed), await shipmentChanges(other)]).toEqual([2, 0]);
});
