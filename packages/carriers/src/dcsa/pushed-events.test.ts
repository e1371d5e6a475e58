import { expect, test } from "@jest/globals";
import { unknownPlaces } from "../place-lookup.ts";
import { toObservations } from "./dcsa-observation.ts";
import { type PushedEvent, readPushedEvents, yieldToEventLoop } from "./pushed-events.ts";
import { QuirkProfile } from "./quirk-profile.ts";

const departure = {
  eventType: "TRANSPORT",
  transportEventTypeCode: "DEPA",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-01-06T10:00:00+08:00",
  references: [
    { referenceType: "FF", referenceValue: "OURS" },
    { referenceType: "EQ", referenceValue: "MSKU 000000-6" },
    { referenceType: "eq", referenceValue: "MSKU0000011" },
    { referenceType: "EQ", referenceValue: "MSKU0000027" },
  ],
};
const documents = (...given: readonly (readonly [type: string, number: string])[]) =>
  given.map(([documentReferenceType, documentReferenceValue]) => ({ documentReferenceType, documentReferenceValue }));

const readEvent = (event: unknown) => toObservations(event, QuirkProfile.parse({}), unknownPlaces);

async function push(event: object): Promise<PushedEvent> {
  const body = Buffer.from(JSON.stringify([event]));
  const read = await readPushedEvents(body, "events", readEvent, (each) => each, yieldToEventLoop);
  const [pushed] = read?.events ?? [];
  if (pushed === undefined) throw new Error("The event was not read.");
  return pushed;
}

const containersOf = ({ drafts }: Pick<PushedEvent, "drafts">) => drafts.map(({ containerNumber }) => containerNumber);

test("keeps the containers of a shipment in an event that names others, and stores it so that it is read so", async () => {
  const { ofContainers } = await push(departure);
  const own = ofContainers?.(new Set(["MSKU0000006", "MSKU0000027", "MSKU0000099"])) ?? null;
  expect(own && containersOf(own)).toEqual(["MSKU0000006", "MSKU0000027"]);
  expect(readEvent(own?.event)).toEqual(own?.drafts);
  expect(JSON.stringify(own?.event)).toContain("OURS");
  expect(JSON.stringify(own?.event)).not.toContain("MSKU0000011");
  expect(ofContainers?.(new Set(["MSKU0000099"]))).toBeNull();
});

test("takes all containers as those of a document only if it is the one of its type", async () => {
  const documentReferences = documents(["TRD", "BILL1"], ["BKG", "BOOK1"], ["BKG", "BOOK2"]);
  const pushed = await push({ ...departure, documentReferences });
  expect(pushed.documents).toEqual(["BILL1"]);
  expect(pushed.numbers).toEqual(["BILL1", "BOOK1", "BOOK2", "MSKU0000006", "MSKU0000011", "MSKU0000027"]);
});

test("leaves an event of one container to all documents that share it", async () => {
  const documentReferences = documents(["BKG", "BOOK1"], ["BKG", "BOOK2"]);
  const pushed = await push({ ...departure, references: departure.references.slice(0, 2), documentReferences });
  expect(containersOf(pushed)).toEqual(["MSKU0000006"]);
  expect(pushed.ofContainers).toBeUndefined();
});
