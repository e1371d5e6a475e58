import { beforeEach, expect, test } from "@jest/globals";
import { createStoredReplyReader } from "@svc/carriers";
import { minuteMs } from "@svc/domain";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { verify } from "@svc/replay";
import { started } from "@svc/testkit/started";
import { envelope, loaded } from "../testing/edi-texts.ts";
import { sendEdi, sendMessage } from "../testing/send-message.ts";
import { setUpTracking } from "../testing/tracking-setup.ts";

let accountId: string;
const setup = started(setUpTracking);
beforeEach(async () => {
  await setup.reset();
  accountId = await setup.newAccount();
});

const etaOf = async () =>
  (await setup.row<{ eta: string | null }>("SELECT pod_eta_at AS eta FROM shipments WHERE account_id = $1", accountId))
    .eta;

async function differences(subject: string): Promise<readonly unknown[]> {
  const places = await loadPlaceDirectory(setup.database.sql);
  const found: unknown[] = [];
  await verify(setup.database, { subject }, { read: createStoredReplyReader([], places), places }, (one) =>
    found.push(one),
  );
  return found;
}

test("an ETA that an EDI partner returns to is the ETA again, each time, and replay finds no difference", async () => {
  await setup.request("RETURN1", { accountId });
  for (const [index, day] of ["02", "04", "02", "04", "02"].entries()) {
    const segments = loaded("RETURN1").map((segment) => segment.replace("20260201", `202602${day}`));
    await sendEdi(setup, { accountId, text: envelope(String(index + 1), segments) });
    expect([index, await etaOf()]).toEqual([index, `2026-02-${day}T05:00:00.000Z`]);
    setup.clock.advance(60 * minuteMs);
  }
  expect(await differences("RETURN1")).toEqual([]);
});

const arrival = (day: string, eventId: string): string =>
  [
    "scac,number,event_code,classifier,event_time,container_number,locode,mode,vessel_imo,event_id",
    "ZIMU,RETURN2,LOAD,ACT,2026-01-05T08:00:00+08:00,MSKU0000006,CNSHA,VESSEL,9321483,",
    `ZIMU,RETURN2,ARRI,EST,2026-02-${day}T06:00:00+01:00,,NLRTM,VESSEL,9321483,${eventId}`,
  ].join("\n");

test("an ETA that an import returns to is the ETA again; the same file again changes nothing", async () => {
  await setup.request("RETURN2", { accountId, scac: "ZIMU" });
  const send = async (text: string) => {
    const row = await sendMessage(setup, { accountId, channel: "import", form: "csv", text });
    setup.clock.advance(60 * minuteMs);
    return row;
  };
  await send(arrival("02", "A1"));
  await send(arrival("04", "A2"));
  expect(await send(arrival("02", "A1"))).toMatchObject({ applied_count: 2, new_fact_count: 2 });
  expect(await etaOf()).toBe("2026-02-04T05:00:00.000Z");
  expect(await send(arrival("02", "A3"))).toMatchObject({ new_fact_count: 1 });
  expect(await etaOf()).toBe("2026-02-02T05:00:00.000Z");
  expect(await differences("RETURN2")).toEqual([]);
});
