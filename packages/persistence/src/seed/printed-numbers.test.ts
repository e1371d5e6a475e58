import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { type InferableCarrier, inferNumber } from "@svc/domain/identifiers";

const seeded = JSON.parse(readFileSync(new URL("../../data/shipping-lines.json", import.meta.url), "utf8"));
const lines = seeded as readonly InferableCarrier[];

/** Forms as they are printed on documents, with the line that prints them. */
const printed: readonly (readonly [number: string, scac: string])[] = [
  ["ACLUSA12345678", "ACLU"],
  ["APLU123456789", "APLU"],
  ["CMDUSHZ1234567", "CMDU"],
  ["COSU6123456789", "COSU"],
  ["CCMJ6123456789", "COSU"],
  ["EGLV123456789012", "EGLV"],
  ["EISU123456789012", "EGLV"],
  ["HDMUSHAZ12345678", "HDMU"],
  ["HLCUSHA2401ABCD1", "HLCU"],
  ["HLCU SHA 2401 ABCD1", "HLCU"],
  ["MAEU123456789", "MAEU"],
  ["B/L no. MAEU-123 456 789", "MAEU"],
  ["SAFM123456789", "MAEU"],
  ["SEAU123456789", "MAEU"],
  ["SUDU12345ABCD678", "MAEU"],
  ["MATS1234567890", "MATS"],
  ["MEDUAB123456", "MSCU"],
  ["MEDUSH123456", "MSCU"],
  ["ONEYSH4AB1234500", "ONEY"],
  ["OOLU1234567890", "OOLU"],
  ["PABVABCD12345600", "PCIU"],
  ["SMLMSEL1A1234500", "SMLM"],
  ["WHLC012345678", "WHLC"],
  ["YMJAW123456789", "YMJA"],
  ["YMLUW123456789", "YMJA"],
  ["ZIMUSNH1234567", "ZIMU"],
];

test.each(printed)("%s is proposed as a number of %s", (number, scac) => {
  const { decision, selected } = inferNumber(number, lines);
  expect([selected?.scac, decision]).toEqual([scac, expect.stringMatching(/^(auto_select|needs_confirmation)$/)]);
});
