import { describe, expect, test } from "@jest/globals";
import { testCarrier } from "./test-carrier.ts";

const track = (number: string) => testCarrier.track({ kind: "bill_of_lading", number }, new AbortController().signal);

describe("the test line", () => {
  test.each([
    ["TEST-TR-SUCCEEDED", "found"],
    ["TESTTRSUCCEEDED", "found"],
    ["TEST-TR-FAILED", "rejected"],
    ["TEST-TR-INVALID", "rejected"],
    ["TEST-TR-NOT-FOUND", "not_found"],
    ["TEST-TR-AWAITING-MANIFEST", "found"],
    ["TEST-TR-BOOKING-CANCELLED", "found"],
    ["TEST-TR-UNREACHABLE", "unreachable"],
    ["TEST-TR-UNRECOGNIZED", "unrecognized"],
    ["constructor", "not_found"],
  ])("%s is %s", async (number, outcome) => {
    expect((await track(number)).outcome).toBe(outcome);
  });

  test("TEST-TR-SUCCEEDED is always the same complete voyage in the past", async () => {
    const first = await track("TEST-TR-SUCCEEDED");
    if (first.outcome !== "found") throw new Error("not found");
    expect(first.drafts.filter((draft) => draft.classifier === "ACT").map((draft) => draft.code)).toEqual([
      "GTOT",
      "GTIN",
      "LOAD",
      "DEPA",
      "ARRI",
      "DISC",
      "GTOT",
      "GTIN",
    ]);
    expect(await track("TEST-TR-SUCCEEDED")).toEqual(first);
  });

  test("awaiting manifest is found without events", async () => {
    expect(await track("TEST-TR-AWAITING-MANIFEST")).toMatchObject({ outcome: "found", drafts: [] });
  });

  test("throws the reason of the caller's abort", async () => {
    await expect(testCarrier.track({ kind: "container", number: "X" }, AbortSignal.abort())).rejects.toThrow("abort");
  });
});
