import { describe, expect, test } from "@jest/globals";
import { createReferenceDataRepository, loadPlaceDirectory } from "@svc/persistence/reference-data";
import { started } from "@svc/testkit/started";
import { sendMessage } from "../testing/send-message.ts";
import { pollAgain } from "../testing/tracked-number.ts";
import { carrierScac, setUpTracking } from "../testing/tracking-setup.ts";

const setup = started(setUpTracking);

interface Names {
  readonly imo: string;
  readonly vesselName: string;
  readonly port: string;
  readonly portName: string;
}

/** A voyage to a port that is not in the reference data, as DCSA events. */
function voyageTo({ imo, vesselName, port, portName }: Names, container: string, mode = "VESSEL") {
  const call = (at: string, name: string, modeOfTransport = "VESSEL") => ({
    eventLocation: { UNLocationCode: at, locationName: name },
    transportCall: { modeOfTransport, vessel: { vesselIMONumber: imo, vesselName }, UNLocationCode: at },
  });
  const equipment = { eventType: "EQUIPMENT", eventClassifierCode: "ACT", equipmentReference: container };
  const created = { eventCreatedDateTime: "2026-01-09T00:00:00Z" };
  return [
    {
      ...equipment,
      ...created,
      equipmentEventTypeCode: "LOAD",
      eventDateTime: "2026-01-05T08:00:00+08:00",
      ...call("CNSHA", "Shanghai"),
    },
    {
      ...equipment,
      ...created,
      equipmentEventTypeCode: "DISC",
      eventDateTime: "2026-01-08T08:00:00+01:00",
      ...call(port, portName, mode),
    },
  ];
}

async function polled(number: string, names: Names, container: string): Promise<string> {
  const accountId = await setup.newAccount();
  await setup.subscribe(["*"], accountId);
  setup.line.answer(number, voyageTo(names, container));
  await setup.request(number, { accountId });
  await pollAgain(setup, number);
  return accountId;
}

async function pushed(number: string, names: Names, container: string, mode?: string): Promise<void> {
  const accountId = await setup.newAccount();
  await setup.request(number, { accountId });
  const documentReferences = [{ documentReferenceType: "TRD", documentReferenceValue: number }];
  const events = voyageTo(names, container, mode).map((event) => ({ ...event, documentReferences }));
  expect(await sendMessage(setup, { accountId, channel: "push", text: JSON.stringify(events) })).toMatchObject({
    applied_count: 2,
  });
  const csv = [
    "scac,number,event_code,classifier,event_time,container_number,locode,mode,vessel_imo,vessel_name,facility_code,facility_type",
    `${carrierScac},${number},DISC,ACT,2026-01-08T09:00:00+01:00,${container},${names.port},RAIL,${names.imo},${names.vesselName},T1,RAMP`,
  ].join("\n");
  expect(await sendMessage(setup, { accountId, channel: "import", text: csv, form: "csv" })).toMatchObject({
    applied_count: 1,
  });
}

/** The shipments and notifications of an account, and the results of lookups by code. */
async function visibleNames(accountId: string, { imo, port }: Names) {
  const reference = createReferenceDataRepository(setup.database.sql);
  const directory = await loadPlaceDirectory(setup.database.sql);
  return {
    shipments: await setup.rows(
      `SELECT to_jsonb(s) AS shipment, to_jsonb(p) AS port, to_jsonb(v) AS vessel FROM shipments s
       LEFT JOIN ports p ON p.id = s.port_of_discharge_id LEFT JOIN vessels v ON v.id = s.pod_vessel_id
       WHERE s.account_id = $1`,
      accountId,
    ),
    events: await setup.rows(
      `SELECT to_jsonb(e) AS event, to_jsonb(t) AS terminal FROM transport_events e
       LEFT JOIN terminals t ON t.id = e.terminal_id WHERE e.account_id = $1 ORDER BY e.id`,
      accountId,
    ),
    notifications: await setup.rows(
      "SELECT event, included FROM notification_events WHERE account_id = $1 ORDER BY id",
      accountId,
    ),
    lookups: [await reference.findPort(port), await reference.findMetroArea(port), await reference.findVessel(imo)],
    kind: directory.kindOf(port),
  };
}

describe("pushes and imports of an account do not change shared reference data", () => {
  const truth = { imo: "9074729", vesselName: "TRUE NAME", port: "NLXQ7", portName: "True Haven" };
  const lies = { ...truth, vesselName: "FALSE NAME", portName: "False Haven" };

  test("a false vessel name, a false port name and a rail call at a port leave the data of another account unchanged", async () => {
    const accountId = await polled("TRUTH1", truth, "MSKU0000006");
    const before = await visibleNames(accountId, truth);
    expect(before).toMatchObject({
      shipments: [{ port: { name: "True Haven" }, vessel: { name: "TRUE NAME" } }],
      kind: "port",
    });
    await pushed("LIES1", lies, "MSKU0000011", "RAIL");
    expect(await visibleNames(accountId, truth)).toEqual(before);
    await pollAgain(setup, "TRUTH1");
    expect(await visibleNames(accountId, truth)).toEqual(before);
  });

  test("names from the service's carrier replace those that an account reported first", async () => {
    const names = { imo: "9176187", vesselName: "REAL NAME", port: "NLXQ8", portName: "Real Haven" };
    await pushed("LIES2", { ...names, vesselName: "FALSE NAME", portName: "False Haven" }, "MSKU0000027", "RAIL");
    const reference = createReferenceDataRepository(setup.database.sql);
    expect(await reference.findPort(names.port)).toBeNull();
    expect(await reference.findVessel(names.imo)).toBeNull();
    expect((await loadPlaceDirectory(setup.database.sql)).kindOf(names.port)).toBeNull();
    expect(await setup.rows("SELECT 1 FROM vessels WHERE name ILIKE 'false%'")).toEqual([]);
    expect(await setup.rows("SELECT 1 FROM ports WHERE name ILIKE 'false%'")).toEqual([]);
    const accountId = await polled("TRUTH2", names, "MSKU0000032");
    expect(await visibleNames(accountId, names)).toMatchObject({
      shipments: [
        { port: { name: "Real Haven", source: "carrier" }, vessel: { name: "REAL NAME", source: "carrier" } },
      ],
      lookups: [{ name: "Real Haven" }, null, { name: "REAL NAME" }],
      kind: "port",
    });
  });

  test("a name stays when the carrier reports another one later", async () => {
    const names = { imo: "9811000", vesselName: "FIRST NAME", port: "NLXQ9", portName: "First Haven" };
    await polled("NAMED1", names, "MSKU0000048");
    const accountId = await polled(
      "NAMED2",
      { ...names, vesselName: "SECOND NAME", portName: "Second Haven" },
      "MSKU0000053",
    );
    expect(await visibleNames(accountId, names)).toMatchObject({
      lookups: [{ name: "First Haven" }, null, { name: "FIRST NAME" }],
    });
  });
});
