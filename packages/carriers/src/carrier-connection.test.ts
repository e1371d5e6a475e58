import { describe, expect, test } from "@jest/globals";
import { CarrierConnectionList } from "./carrier-connection.ts";

const sandbox = {
  scac: "SBXL",
  protocol: "dcsa-2.2",
  baseUrl: "http://localhost:4010/",
  headers: { "Consumer-Key": "s3cret" },
};

function problemsOf(value: unknown): string {
  const result = CarrierConnectionList.safeParse(typeof value === "string" ? value : JSON.stringify(value));
  return result.success ? "" : result.error.issues.map((issue) => issue.message).join("\n");
}

describe("the list of connections", () => {
  test("applies defaults", () => {
    expect(CarrierConnectionList.parse(JSON.stringify([sandbox]))[0]).toEqual({
      scac: "SBXL",
      protocol: "dcsa-2.2",
      baseUrl: "http://localhost:4010",
      headers: { "Consumer-Key": "s3cret" },
      credentials: { kind: "none" },
      ownCredentialsOnly: false,
      tokenUrl: null,
      clientAuthentication: "basic",
      scope: null,
      arrivalNoticesUrl: null,
      terminal: null,
      requestSigning: null,
      limits: { perSecond: null, perMinute: null, perHour: null, perDay: null },
      timeoutMs: 10_000,
      maxBodyBytes: 20_971_520,
      profile: {
        eventsPath: null,
        eventsMember: "events",
        classifiers: { PLAN: "PLN" },
        billOfLadingPrefix: "as_given",
        billOfLadingPrefixes: [],
        nextPageHeaders: ["next-page", "next-page-cursor"],
        pageSize: 100,
        placesInWords: false,
        offsetIsLocal: false,
        stableTransportCallIds: true,
      },
    });
  });

  test.each([
    ["no JSON", "{", "is not JSON"],
    ["an unknown member", [{ ...sandbox, url: "x" }], "url"],
    ["another protocol", [{ ...sandbox, protocol: "edi" }], "at 0.protocol"],
    ["credentials in the address", [{ ...sandbox, baseUrl: "https://me:s3cret@example.com" }], "headers"],
    ["another scheme", [{ ...sandbox, baseUrl: "file:///etc/passwd" }], "at 0.baseUrl"],
    ["a header that holds a line break", [{ ...sandbox, headers: { "X-Key": "s3cret\r\nHost: x" } }], "header value"],
    ["a secret of the wrong kind", [{ ...sandbox, credentials: { kind: "basic", password: "s3cret" } }], "username"],
    ["a limit of nothing", [{ ...sandbox, limits: { perDay: 0 } }], "perDay"],
    ["one line twice", [sandbox, sandbox], "twice"],
    ["the built-in line", [{ ...sandbox, scac: "TEST" }], "built in"],
  ])("rejects %s without showing a value", (_name, value, message) => {
    expect(problemsOf(value)).toContain(message);
    expect(problemsOf(value)).not.toContain("s3cret");
  });
});
