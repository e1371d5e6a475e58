import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { CarrierConnectionList } from "../carrier-connection.ts";
import { catalogue } from "./catalogue.ts";

describe("a connection from the catalogue", () => {
  const refusal = (list: unknown) => CarrierConnectionList.safeParse(JSON.stringify(list)).error?.issues[0]?.message;

  test("keeps given values, and completes limits and profile member by member", () => {
    const [connection] = CarrierConnectionList.parse(
      JSON.stringify([{ catalogue: "HLCU", ownCredentialsOnly: true, limits: { perMinute: 150 } }]),
    );
    expect(connection).toMatchObject({
      scac: "HLCU",
      baseUrl: "https://api.hlag.com/hlag/external/v2",
      ownCredentialsOnly: true,
      limits: { perMinute: 150, perDay: 6_000 },
      profile: { eventsPath: "/events" },
    });
  });

  test("is offered for the accounts' own credentials without configuration, and the operator's entry replaces it", () => {
    const offered = (list: unknown) =>
      CarrierConnectionList.parse(JSON.stringify(list)).map(({ scac, ownCredentialsOnly }) => [
        scac,
        ownCredentialsOnly,
      ]);
    const withAddress = catalogue.filter(({ connection }) => "baseUrl" in connection).map(({ scac }) => [scac, true]);
    expect(withAddress.length).toBeGreaterThanOrEqual(6);
    expect(offered([])).toEqual(withAddress);
    const maersk = { catalogue: "MAEU", credentials: { kind: "api_key", headers: { "Consumer-Key": "key" } } };
    expect(offered([maersk])).toEqual([["MAEU", false], ...withAddress.filter(([scac]) => scac !== "MAEU")]);
  });

  test("requires the base URL of a carrier with one URL per customer", () => {
    expect(refusal([{ catalogue: "EGLV" }])).toMatch(/^at 0.baseUrl/);
  });

  test("rejects an unknown entry", () => {
    expect(refusal([{ catalogue: "XXXX", credentials: { kind: "none" } }])).toBe(
      `at 0.catalogue: must be one of ${catalogue.map(({ scac }) => scac).join(", ")}`,
    );
  });
});

test("shipping lines of the catalogue are in the reference data", () => {
  const lines = new URL("../../../persistence/data/shipping-lines.json", import.meta.url);
  const known = JSON.parse(readFileSync(lines, "utf8")).map(({ scac }: { scac: string }) => scac);
  const shippingLines = catalogue.filter(({ kind }) => kind === "shipping_line").map(({ scac }) => scac);
  expect(shippingLines.length).toBeGreaterThan(0);
  expect(known).toEqual(expect.arrayContaining(shippingLines));
});

test.each(catalogue.map((entry) => [entry.scac, entry] as const))(
  "docs/carriers.md links the page of %s",
  (scac, { name, verified }) => {
    const guide = readFileSync(new URL("../../../../docs/carriers.md", import.meta.url), "utf8");
    expect(guide).toContain(`| \`${scac}\` | [${name}](carriers/${scac.toLowerCase()}.md) | ${verified} |`);
  },
);
