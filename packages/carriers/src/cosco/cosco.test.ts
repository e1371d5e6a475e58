import { describe, expect, test } from "@jest/globals";
import { CarrierConnection } from "../carrier-connection.ts";
import { withCatalogueEntry } from "../catalogue/catalogue.ts";
import { createEventReader } from "../dcsa/dcsa-dialect.ts";
import { copSignature } from "./cop-signature.ts";
import { coscoDialect } from "./cosco-dialect.ts";
import { readContainerNumbers, readCoscoEvents } from "./cosco-events.ts";

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const locodes: Readonly<Record<string, string>> = {
  "Qingdao,China": "CNTAO",
  "Long Beach,United States": "USLGB",
  "Pier J,Long Beach,California,United States": "USLGB",
};
const zones: Readonly<Record<string, string>> = { CNTAO: "Asia/Shanghai", USLGB: "America/Los_Angeles" };
const connection = CarrierConnection.parse(withCatalogueEntry({ catalogue: "COSU" }));
const readEvent = createEventReader(connection, coscoDialect, {
  timeZoneOf: (locode) => zones[locode] ?? null,
  locodeOf: (text) => locodes[text] ?? null,
});
const read = (...documents: unknown[]) =>
  readCoscoEvents(bytes(documents.length === 1 ? documents[0] : documents))?.map((event) => readEvent(event)?.[0]);

const reply = (content: unknown) => ({ code: 0, message: "success", data: { type: "bl", numberType: "bl", content } });
const bill = reply({
  actualShipment: [
    {
      vesselName: "COSCO ALPHA",
      voyageNo: "039E",
      portOfLoading: "Qingdao",
      expectedDateOfDeparture: "2026-01-05 17:00",
      actualDepartureDate: "2026-01-05 11:00",
      portOfDischarge: "Long Beach",
      estimatedDateOfArrival: "2026-01-27 06:00",
      actualArrivalDate: null,
      city: "Long Beach,United States",
    },
    { vesselName: "COSCO BETA", portOfLoading: "Long Beach", expectedDateOfDeparture: "2026-01-30 06:00" },
  ],
  trackingPath: { fromCity: "Zibo ,Shandong ,China" },
  containerStatus: [
    { label: "Loaded at First POL", containers: [{ containerNumber: "CBHU4398907" }, { containerNumber: "" }] },
    { label: "Gate-In at First POL", containers: [{ containerNumber: "CSNU6829160" }] },
  ],
});
const container = reply({
  containers: [
    {
      container: { containerNumber: "CBHU4398907", sealNumber: "K31436" },
      containerCircleStatus: [
        {
          containerNumber: "CBHU4398907",
          containerNumberStatus: "Discharged at Last POD",
          location: "Pier J,Long Beach,California,United States",
          timeOfIssue: "2026-01-28 17:00",
          transportation: " ",
        },
        {
          containerNumber: "CBHU4398907",
          containerNumberStatus: "Empty Equipment Despatched",
          location: "A depot,Zibo,Shandong,China",
          timeOfIssue: "2026-01-02 10:40",
          transportation: "Truck",
        },
      ],
      containerHistorys: [{ containerNumberStatus: "Empty Equipment Returned", timeOfIssue: "2025-06-02 14:25" }],
    },
  ],
});

describe("a reply of COSCO", () => {
  test("has the voyages with places that follow from the country and the port before", () => {
    expect(read(bill)).toEqual([
      expect.objectContaining({
        code: "DEPA",
        classifier: "EST",
        eventAt: "2026-01-05T09:00:00.000Z",
        timePrecision: "local_assumed",
        place: expect.objectContaining({ locode: "CNTAO" }),
        call: expect.objectContaining({ mode: "VESSEL", vessel: { imo: null, name: "COSCO ALPHA" } }),
      }),
      expect.objectContaining({ code: "DEPA", classifier: "ACT", eventAt: "2026-01-05T03:00:00.000Z" }),
      expect.objectContaining({ code: "ARRI", classifier: "EST", eventAt: "2026-01-27T14:00:00.000Z" }),
      expect.objectContaining({ code: "DEPA", place: expect.objectContaining({ locode: "USLGB" }) }),
    ]);
  });

  test("names the containers whose moves are in documents of their own", () => {
    expect(readContainerNumbers(bytes(bill))).toEqual(["CBHU4398907", "CSNU6829160"]);
    expect(readContainerNumbers(bytes(container))).toEqual([]);
  });

  test("has the moves of the present journey, and a place that is not known as words only", () => {
    expect(read(container)).toEqual([
      expect.objectContaining({
        code: "DISC",
        classifier: "ACT",
        containerNumber: "CBHU4398907",
        isEmpty: false,
        seals: ["K31436"],
        eventAt: "2026-01-29T01:00:00.000Z",
        place: expect.objectContaining({ locode: "USLGB" }),
      }),
      expect.objectContaining({
        code: "GTOT",
        isEmpty: true,
        localDate: "2026-01-02",
        place: expect.objectContaining({ locode: null, name: "A depot,Zibo,Shandong,China" }),
        call: expect.objectContaining({ mode: "TRUCK" }),
      }),
    ]);
  });

  test("is read together with the replies of its containers, as they are stored", () => {
    expect(read(bill, container)).toHaveLength(6);
  });

  test("with an unknown status is kept and counted as unreadable, and a note is not an event", () => {
    const holdsOf = (containerNumberStatus: string) =>
      read(
        reply({
          containers: [
            {
              containerCircleStatus: [
                { containerNumber: "CBHU4398907", containerNumberStatus, timeOfIssue: "2026-01-28 17:00" },
              ],
            },
          ],
        }),
      );
    expect(holdsOf("Released by customs")).toEqual([undefined]);
    expect(holdsOf("Cargo Received")).toEqual([]);
    expect(holdsOf("LOADED  at first POL")).toEqual([expect.objectContaining({ code: "LOAD" })]);
  });

  test.each([
    ["an unknown number", { code: 0, data: { type: "none", content: null } }, []],
    ["an error", { code: 5500, message: "error", data: null }, null],
    ["another kind of JSON", { hello: "world" }, null],
    ["an array with an error", [bill, { code: 5400 }], null],
  ])("gives its events: %s", (_case, document, expected) => {
    expect(readCoscoEvents(bytes(document))).toEqual(expected);
  });

  test("that is no JSON is not read", () => {
    expect(readCoscoEvents(new TextEncoder().encode("<html>"))).toBeNull();
  });
});

test("a request is signed with its time and address; the secret key is not sent", () => {
  const headers = copSignature(
    { username: "api-key", password: "secret-key" },
    {
      method: "GET",
      url: new URL("https://line.test/service/info/tracking/6103622780?numberType=bl"),
      nowMs: Date.parse("2018-10-23T12:58:39Z"),
      nonce: "nonce",
    },
  );
  // The signature was computed with `openssl dgst -sha1 -hmac secret-key`.
  expect(headers).toEqual({
    "X-Coscon-Date": "Tue, 23 Oct 2018 12:58:39 GMT",
    "X-Coscon-Digest": "SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "X-Coscon-Content-Md5": "cb584e44c43ed6bd0bc2d9c7e242837d",
    "X-Coscon-Hmac": "cb584e44c43ed6bd0bc2d9c7e242837d",
    "X-Coscon-Authorization": `hmac username="api-key",algorithm="hmac-sha1",headers="X-Coscon-Date X-Coscon-Digest X-Coscon-Content-Md5 request-line",signature="4qssAZqArFBAW8Yh0MxZLshW9Vs="`,
  });
  expect(JSON.stringify(headers)).not.toContain("secret-key");
});
