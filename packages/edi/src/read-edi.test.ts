import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { UnreadableFile } from "./fault.ts";
import { partnerProfiles } from "./profiles.ts";
import { departedShanghai, edifact, loadedInShanghai, read, x12 } from "./testing/edi-samples.ts";

type Reading = Awaited<ReturnType<typeof read>>;
const summaries = ({ events }: Reading) =>
  events.map(({ draft: { code, classifier, eventAt, place, containerNumber, isEmpty } }) =>
    [code, classifier, eventAt, place.locode, containerNumber, isEmpty].join(" "),
  );
const replaced = (segments: readonly string[], from: string, to: string) =>
  segments.map((segment) => segment.replace(from, to));

describe("X12", () => {
  test("a 315: the status in the time of its place, and the estimates of the route", async () => {
    const reading = await read(x12("315", loadedInShanghai));
    expect(summaries(reading)).toEqual([
      "LOAD ACT 2026-03-05T09:45:00.000Z CNSHA MSKU0000006 false",
      "DEPA EST 2026-03-05T18:00:00.000Z CNSHA MSKU0000006 ",
      "ARRI EST 2026-04-02T04:00:00.000Z DEHAM MSKU0000006 ",
    ]);
    expect(reading.events[0]).toMatchObject({
      numbers: ["MSKU0000006", "MAEU123456789", "987654321"],
      scac: "MAEU",
      source: { kind: "315", reference: "0001", line: 4, segment: 4, code: "AE" },
      draft: {
        timePrecision: "local_assumed",
        isoEquipmentCode: "45G1",
        seals: ["SEAL1"],
        call: { mode: "VESSEL", vessel: { imo: "9321483", name: "EMMA MAERSK" }, exportVoyage: "230W" },
      },
    });
    expect(reading).toMatchObject({ messages: 1, statuses: 1, faultCount: 0, unmapped: [], noteCount: 0 });
  });

  test("an estimated status is one, and a time in UTC is exact", async () => {
    const arrival = ["B4***VA*20260402*0600*DEHAM*MSKU*0*L**DEHAM*UN*6", "R4*D*UN*DEHAM", "DTM*139*20260402*0400*UT"];
    expect(summaries(await read(x12("315", arrival)))).toEqual([
      "ARRI EST 2026-04-02T04:00:00.000Z DEHAM MSKU0000006 ",
    ]);
    const withoutTime = replaced(arrival, "20260402*0600", "*");
    const [event] = (await read(x12("315", withoutTime))).events;
    expect(event?.draft).toMatchObject({ eventAt: "2026-04-02T04:00:00.000Z", timePrecision: "exact" });
  });

  test("reads no actual time from the times of the route", async () => {
    const actual = loadedInShanghai.map((segment) => segment.replace("DTM*139*20260306", "DTM*140*20260306"));
    expect(summaries(await read(x12("315", actual))).filter((text) => text.startsWith("DEPA"))).toEqual([]);
  });

  test("a place that is no UN/LOCODE is that of the activity, or keeps its name", async () => {
    const status = "B4***OA*20260405*0900*LONG BEACH*MSKU*000000*L**2709*D*6";
    const [named] = (await read(x12("315", [status]))).events;
    expect(named?.draft).toMatchObject({ place: { locode: null, name: "LONG BEACH" }, timePrecision: "local_assumed" });
    expect(summaries(await read(x12("315", [status, "R4*5*UN*USLGB*LONG BEACH"])))).toEqual([
      "GTOT ACT 2026-04-05T16:00:00.000Z USLGB MSKU0000006 false",
    ]);
  });

  test("a code without a meaning is kept and counted, and no event is made of it", async () => {
    const unknown = replaced(loadedInShanghai, "**AE*", "**Q9*");
    const reading = await read(x12("315", unknown, unknown));
    expect(reading.unmapped).toEqual([{ kind: "315", code: "Q9", count: 2, line: 4 }]);
    expect(new Set(summaries(reading).map((text) => text.slice(0, 4)))).toEqual(new Set(["DEPA", "ARRI"]));
  });

  test("a known code that is no event is a note; a partner's profile has its own codes", async () => {
    const hold = await read(x12("315", ["B4***PA*20260405*0900**MSKU*000000*L****6"]));
    expect(hold).toMatchObject({ events: [], noteCount: 1, notes: [{ code: "PA", containerNumber: "MSKU0000006" }] });
    const delayed = x12("315", ["B4***E*20260403*0900**MSKU*000000*L**DEHAM*UN*6"]);
    expect((await read(delayed)).unmapped).toMatchObject([{ code: "E" }]);
    expect(summaries(await read(delayed, "hamburg-sud"))[0]).toBe(
      "ARRI EST 2026-04-03T07:00:00.000Z DEHAM MSKU0000006 ",
    );
  });

  test("a 322: a gate move of each container, with the check digit that it lacks", async () => {
    const move = [
      "Q5*I*20260301*214520*LT**LONG BEACH*CA*US",
      "N7*MSKU*000000*43459*G*******CN*MAEU*****L*6****45G1*MAEU",
      "W2*MSKU*000000**CC*E********6",
      "N7*CSQU*305438",
      "W2*CSQU*305438**CC*L",
      "R4*5*UN*USLGB*LONG BEACH*US***CA",
    ];
    expect(summaries(await read(x12("322", move)))).toEqual([
      "GTIN ACT 2026-03-02T05:45:20.000Z USLGB MSKU0000006 true",
      "GTIN ACT 2026-03-02T05:45:20.000Z USLGB CSQU3054383 false",
    ]);
  });

  test("a 301: the confirmation of the booking and its planned route", async () => {
    const booking = [
      "B1*MAEU*987654321*20260220*A",
      "R4*L*UN*CNSHA",
      "DTM*369*20260306*0200",
      "R4*D*UN*DEHAM",
      "DTM*371*20260402",
    ];
    const reading = await read(x12("301", booking));
    expect(summaries(reading).map((text) => text.trim())).toEqual([
      "CONF ACT 2026-02-19T16:00:00.000Z CNSHA",
      "DEPA EST 2026-03-05T18:00:00.000Z CNSHA",
      "ARRI EST 2026-04-01T22:00:00.000Z DEHAM",
    ]);
    expect(reading.events[0]).toMatchObject({
      scac: "MAEU",
      numbers: ["987654321"],
      draft: { documentType: "BKG", documentId: "987654321" },
    });
    const declined = await read(x12("301", replaced(booking, "*20260220*A", "*20260220*D")));
    expect(declined.unmapped).toMatchObject([{ kind: "301", code: "B1-04 D" }]);
  });

  test("faults name line, segment and element, and leave out only what they are about", async () => {
    const bad = replaced(loadedInShanghai, "20260305*1745", "20260231*1745");
    const reading = await read(x12("315", bad, ["N9*BM*1"], loadedInShanghai));
    expect(reading.faults).toMatchObject([
      { line: 4, segment: 4, tag: "B4", message: "0001" },
      { line: 15, tag: "ST", message: "0002", detail: expect.stringContaining("B4") },
    ]);
    expect(summaries(reading).filter((text) => text.startsWith("LOAD"))).toHaveLength(1);
    expect(reading.acknowledgement.split("\n").filter((line) => line.startsWith("AK"))).toEqual([
      "AK1*QO*17~",
      "AK2*315*0001~",
      "AK3*B4*2**8~",
      "AK5*E~",
      "AK2*315*0002~",
      "AK3*ST*1**8~",
      "AK5*E~",
      "AK2*315*0003~",
      "AK5*A~",
      "AK9*E*3*3*3~",
    ]);
    // The reader accepts what the writer produced.
    expect(await read(reading.acknowledgement)).toMatchObject({ messages: 1, faultCount: 0 });
  });
});

describe("EDIFACT", () => {
  test("an IFTSTA in the letters of the 315: the status, and the estimate of the arrival", async () => {
    const reading = await read(edifact("IFTSTA", departedShanghai));
    expect(summaries(reading)).toEqual([
      "DEPA ACT 2026-03-05T18:15:00.000Z CNSHA MSKU0000006 ",
      "ARRI EST 2026-04-02T04:00:00.000Z DEHAM MSKU0000006 ",
    ]);
    expect(reading.events[0]).toMatchObject({
      scac: "MAEU",
      numbers: ["MSKU0000006", "MAEU123456789", "987654321"],
      source: { kind: "IFTSTA", line: 9, code: "VD", text: "STS+1+VD::22" },
      draft: { call: { mode: "VESSEL", vessel: { imo: "9321483", name: "EMMA MAERSK" }, exportVoyage: "230W" } },
    });
    expect(reading.acknowledgement).toContain("UCI+6771+CARRIER:ZZZ+IMPORTER:ZZZ+7'");
    expect(reading.acknowledgement).toContain("UCM+1+IFTSTA:D:99B:UN+7'");
    expect(await read(reading.acknowledgement)).toMatchObject({ messages: 1, faultCount: 0 });
  });

  test("a number has a meaning only in the profile of a partner that uses that table", async () => {
    const numbered = replaced(departedShanghai, "STS+1+VD::22", "STS+1+48");
    const reading = await read(edifact("IFTSTA", numbered));
    expect(reading.unmapped).toEqual([{ kind: "IFTSTA", code: "48", count: 1, line: 9 }]);
    expect(summaries(reading).some((text) => text.startsWith("LOAD"))).toBe(false);
    expect(summaries(await read(edifact("IFTSTA", numbered), "un-recommendation-24"))[0]).toMatch(/^LOAD ACT/);
  });

  test("a status of a container that cannot be one does not count for the shipment", async () => {
    const reading = await read(edifact("IFTSTA", replaced(departedShanghai, "MSKU0000006", "?")));
    expect(reading).toMatchObject({ events: [], faultCount: 1, faults: [{ tag: "EQD", element: 2, line: 17 }] });
  });

  test("a CODECO: gate moves, with the terminal by SMDG's code", async () => {
    const gate = (code: string) => [
      `BGM+${code}+1+9`,
      "TDT+20+230W+1++MAEU:172:20+++9321483:146:11:EMMA MAERSK",
      "NAD+CF+MAEU:160:20",
      "EQD+CN+MSKU0000006+45G1:102:5++3+4",
      "RFF+BM:MAEU123456789",
      "DTM+7:202604051000:203",
      "LOC+165+DEHAM:139:6+CTA:TER:306",
      "SEL+SEAL1+CA",
      "TDT+1++3",
      "EQD+CN+CSQU3054383+45G1:102:5++3+5",
      "DTM+7:202604051100:203",
      "LOC+165+DEHAM:139:6",
      "CNT+16:2",
    ];
    const reading = await read(edifact("CODECO", gate("36")));
    expect(summaries(reading)).toEqual([
      "GTOT ACT 2026-04-05T08:00:00.000Z DEHAM MSKU0000006 true",
      "GTOT ACT 2026-04-05T09:00:00.000Z DEHAM CSQU3054383 false",
    ]);
    expect(reading.events[0]?.draft).toMatchObject({
      place: { facilityCode: "CTA", facilityCodeProvider: "SMDG" },
      call: { mode: "TRUCK", vessel: null },
      seals: ["SEAL1"],
    });
    expect(reading.events[1]?.draft.call).toBeNull();
    expect((await read(edifact("CODECO", gate("270")))).unmapped).toMatchObject([{ code: "BGM 270" }]);
  });

  test("a COARRI: discharges at the port of discharge, loads at the port of loading", async () => {
    const report = (code: string) => [
      `BGM+${code}+1+9`,
      "TDT+20+230W+1++MAEU:172:20+++9321483:146:11:EMMA MAERSK",
      "LOC+11+DEHAM:139:6",
      "NAD+CA+MAEU",
      "EQD+CN+MSKU0000006+45G1:102:5++3+5",
      "DTM+203:202604021500:203",
      "LOC+147+0120382::5",
      "LOC+9+CNSHA:139:6",
      "CNT+16:1",
    ];
    const [discharged] = (await read(edifact("COARRI", report("44")))).events;
    expect(discharged?.draft).toMatchObject({
      code: "DISC",
      place: { locode: "DEHAM" },
      call: { importVoyage: "230W" },
    });
    const [loaded] = (await read(edifact("COARRI", report("46")))).events;
    expect(loaded?.draft).toMatchObject({ code: "LOAD", place: { locode: "CNSHA" }, call: { exportVoyage: "230W" } });
  });

  test("a kind of message that is not read is counted, and the others are read", async () => {
    const reading = await read(edifact("COPRAR", ["BGM+45+1+9"]) + edifact("IFTSTA", departedShanghai));
    expect(reading.unmapped).toEqual([{ kind: "COPRAR", code: null, count: 1, line: 2 }]);
    expect(reading).toMatchObject({ messages: 2, statuses: 1, interchanges: [{}, {}] });
  });
});

describe("files of which nothing is applied", () => {
  const completeX12 = x12("315", loadedInShanghai, loadedInShanghai);
  const repeatedEdifact = edifact("IFTSTA", departedShanghai, departedShanghai);

  test("a file that is cut off anywhere", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(completeX12, repeatedEdifact), fc.nat(), async (text, at) => {
        const cut = text.trimEnd().slice(0, at % (text.trimEnd().length - 1));
        await expect(read(cut)).rejects.toBeInstanceOf(UnreadableFile);
      }),
      { numRuns: 300 },
    );
  });

  test("a file with damaged bytes is read or unreadable, never another error", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(completeX12, repeatedEdifact), fc.nat(), fc.nat(255), async (text, at, byte) => {
        const bytes = new TextEncoder().encode(text);
        bytes[at % bytes.length] = byte;
        const outcome = await read(bytes).catch((error: unknown) => error);
        expect(outcome instanceof UnreadableFile || (outcome as Reading).messages <= 2).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["IEA of another interchange", completeX12.replace("IEA*1*000000017", "IEA*1*000000018"), "IEA"],
    ["UNT of another message", repeatedEdifact.replace("UNT+17+2", "UNT+17+3"), "UNT"],
    ["a message that is not closed", completeX12.replace("SE*12*0001~\n", ""), "ST"],
    ["a group that is not closed", completeX12.replace("GE*2*17~\n", ""), "IEA"],
    ["a message outside a group", completeX12.replace(/GS\*.*~\n/, "").replace("GE*2*17~\n", ""), "ST"],
  ])("%s", async (_name, text, tag) => {
    await expect(read(text)).rejects.toMatchObject({ fault: { tag } });
  });

  test("a wrong count is a fault that is shown, and the messages are read", async () => {
    const reading = await read(completeX12.replace("SE*12*0002", "SE*11*0002").replace("GE*2", "GE*3"));
    expect(reading.faults).toMatchObject([
      { tag: "SE", element: 1, message: "0002" },
      { tag: "GE", element: 1, message: null },
    ]);
    expect(reading.events).toHaveLength(6);
  });
});

test("interchanges of both syntaxes in one file are read", async () => {
  const reading = await read(x12("315", loadedInShanghai) + edifact("IFTSTA", departedShanghai));
  expect(reading).toMatchObject({ messages: 2, statuses: 2, faultCount: 0 });
  expect(reading.events.map(({ source }) => source.kind)).toEqual(["315", "315", "315", "IFTSTA", "IFTSTA"]);
});

test("each partner's profile has the codes of the standard, and its own", () => {
  for (const { statuses } of partnerProfiles) {
    expect(statuses.x12.get("AE")).toMatchObject({ event: "LOAD" });
    expect(statuses.edifact.get("VD")).toMatchObject({ event: "DEPA" });
  }
  expect(partnerProfiles.map(({ name }) => name)).toEqual([
    "standard",
    "cargosmart",
    "cargosprint",
    "hamburg-sud",
    "un-recommendation-24",
  ]);
});
