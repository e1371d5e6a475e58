import { describe, expect, test } from "@jest/globals";
import { read, x12 } from "./testing/edi-samples.ts";

type Reading = Awaited<ReturnType<typeof read>>;
const vessels = ({ events }: Reading) =>
  events.map(({ draft: { code, classifier, place, call } }) =>
    [code, classifier, place.locode ?? place.name, call?.vessel?.name].join(" "),
  );

describe("the vessel of the route in a 315", () => {
  const arrived = [
    "B4***VA*20260320*0600*MAPTM*MSKU*000000*L*45G1*MAPTM*UN*6",
    "Q2*9444730********612N***L*CAP SAN MALEAS",
  ];
  const discharge = ["R4*D*UN*DEHAM", "DTM*139*20260402*0600"];

  test.each(["T", "Y"])("is not that of a status before a transshipment (role %s)", async (role) => {
    const reading = await read(x12("315", [...arrived, "R4*L*UN*ARBUE", `R4*${role}*UN*MAPTM`, ...discharge]));
    expect(vessels(reading)).toEqual(["ARRI ACT MAPTM CAP SAN MALEAS", "ARRI EST DEHAM "]);
  });

  test.each([
    ["the activity", ["B4***VD*20260320*0600**MSKU*000000*L****6", "R4*5*UN*HKHKG"]],
    ["the status", ["B4***VD*20260320*0600*HKHKG*MSKU*000000*L**HKHKG*UN*6"]],
  ])("is not that of a status on the way, at the place of %s", async (_where, [status = "", ...activity]) => {
    const route = [
      "Q2*9444730********612N***L*FEEDER",
      ...activity,
      "R4*L*UN*THLCH",
      "R4*D*UN*USHOU",
      "DTM*139*20260402*0600",
    ];
    expect(vessels(await read(x12("315", [status, ...route])))).toEqual(["DEPA ACT HKHKG FEEDER", "ARRI EST USHOU "]);
  });

  test.each([
    ["at the port of loading", "ARBUE", ["R4*L*UN*ARBUE"]],
    ["at the place of receipt", "ARBUE", ["R4*R*UN*ARBUE", "R4*L*UN*ARZAE"]],
    ["where no port of loading is named", "MAPTM", []],
    ["where a port has no UN/LOCODE", "MAPTM", ["R4*L*K*35700*BUENOS AIRES"]],
  ])("is that of the status %s", async (_case, place, stops) => {
    const status = arrived.map((segment) => segment.replace("VA*", "AE*").replaceAll("MAPTM", place));
    const reading = await read(x12("315", [...status, ...stops, ...discharge]));
    expect(vessels(reading)).toContain("ARRI EST DEHAM CAP SAN MALEAS");
  });
});

describe("the time of a status in a 315", () => {
  const arrival = (time: string, ...times: readonly string[]) =>
    x12("315", [`B4***VA*${time}*DEHAM*MSKU*0*L**DEHAM*UN*6`, "R4*D*UN*DEHAM", ...times]);
  const [estimated, actual] = ["DTM*139*20260402*0400", "DTM*140*20260403*0700"];

  test.each([
    ["equals the actual one, which follows an estimate", "20260403*0700", [estimated, actual], "ACT 2026-04-03"],
    ["equals the actual one, which precedes an estimate", "20260403*0700", [actual, estimated], "ACT 2026-04-03"],
    ["equals the estimate", "20260402*0400", [actual, estimated], "EST 2026-04-02"],
    ["equals none: the actual one counts", "20260403*0715", [estimated, actual], "ACT 2026-04-03"],
    ["is absent: the actual one counts", "*", [estimated, actual], "ACT 2026-04-03"],
    ["is absent beside an estimate", "*", [estimated], "EST 2026-04-02"],
  ])("%s", async (_case, time, times, expected) => {
    const [event] = (await read(arrival(time, ...times))).events;
    expect(`${event?.draft.classifier} ${event?.draft.localDate}`).toBe(expected);
  });
});

test("a pick-up at the final destination is at the place of delivery, or at the port without one", async () => {
  const picked = (...stops: readonly string[]) =>
    read(x12("315", ["B4***Z8*20260412*0900**MSKU*000000*L****6", "R4*D*UN*USLGB", ...stops]), "cargosmart");
  const places = async (...stops: readonly string[]) =>
    (await picked(...stops)).events.map(({ draft }) => `${draft.code} ${draft.place.locode}`);
  expect(await places("R4*E*UN*USCHI")).toEqual(["GTOT USCHI"]);
  expect(await places()).toEqual(["GTOT USLGB"]);
});

test("each container of a 322 has the references of the header, and its own", async () => {
  const move = ["Q5*I*20260301*214520*LT", "N9*BM*BILL1", "N9*SCA*MAEU"];
  const containers = ["N7*MSKU*000000", "N9*BN*BOOK1", "N7*CSQU*305438", "N9*BN*BOOK2", "R4*5*UN*USLGB"];
  const { events } = await read(x12("322", [...move, ...containers]));
  expect(events.map(({ numbers, scac }) => [...numbers, scac])).toEqual([
    ["MSKU0000006", "BILL1", "BOOK1", "MAEU"],
    ["CSQU3054383", "BILL1", "BOOK2", "MAEU"],
  ]);
});
