import { expect, test } from "@jest/globals";
import { stripReply } from "./strip-reply.ts";

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

test("keeps what describes the voyage, and replaces what belongs to its owner", () => {
  const reply = {
    apiKey: "k3y",
    customer: { name: "Harbour Ltd", code: 4711 },
    CSQU3054383: "at the door",
    events: [
      {
        eventID: "7d4c-1",
        eventType: "EQUIPMENT",
        eventDateTime: "2026-03-05T17:45:00+08:00",
        equipmentReference: "CSQU3054383",
        eventLocation: { locationName: "Harbour Ltd, 1 Quay Street", UNLocationCode: "CNSHA" },
        transportCall: { vessel: { vesselIMONumber: 9321483, vesselName: "EVER GIVEN" } },
        documentReferences: [{ documentReferenceType: "BKG", documentReferenceValue: "DIRB000123" }],
        seals: [{ sealNumber: "SB123" }],
        note: null,
      },
      { eventType: `EQUIPMENT ${"and more ".repeat(9)}`, equipmentReference: "CSQU3054383", eventLocation: "KRPUS" },
    ],
  };
  const text = JSON.stringify(stripReply(bytes(reply)));
  expect(text).not.toMatch(/k3y|Harbour|4711|CSQU|DIRB|7d4c|SB123|and more|door/);
  expect(JSON.parse(text)).toMatchObject({
    events: [
      {
        eventType: "EQUIPMENT",
        eventDateTime: "2026-03-05T17:45:00+08:00",
        note: null,
        equipmentReference: expect.stringMatching(/^TSTU\d{7}$/),
        eventLocation: { UNLocationCode: "CNSHA" },
        transportCall: { vessel: { vesselIMONumber: 9321483, vesselName: "EVER GIVEN" } },
        documentReferences: [{ documentReferenceType: "BKG" }],
      },
      { eventLocation: "KRPUS" },
    ],
  });
  const [first, second] = JSON.parse(text).events;
  expect(second.equipmentReference).toBe(first.equipmentReference);
});

test("a web page is no reply", () => {
  expect(stripReply(new TextEncoder().encode("<html>"))).toBeNull();
});
