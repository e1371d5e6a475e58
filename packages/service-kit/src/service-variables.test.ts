import { describe, expect, test } from "@jest/globals";
import { serviceVariables, unknownVariables } from "./service-variables.ts";

describe("unknown variables", () => {
  test("a misspelt name is reported with the nearest known one, never with its value", () => {
    const found = unknownVariables({ SVC_TRUSTED_PROXY_COUNTS: "1", SVC_SECRETKEY: "s3cret", SVC_SOMETHING_ELSE: "x" });
    expect(found).toEqual([
      { variable: "SVC_SECRETKEY", nearest: "SVC_SECRET_KEY" },
      { variable: "SVC_SOMETHING_ELSE" },
      { variable: "SVC_TRUSTED_PROXY_COUNTS", nearest: "SVC_TRUSTED_PROXY_COUNT" },
    ]);
  });

  test("variables of other services, of the commands and of Kubernetes are not reported", () => {
    const names = Object.values(serviceVariables).flatMap((variables) => variables.map(({ name }) => name));
    expect(names.length).toBeGreaterThan(80);
    const environment = Object.fromEntries([...names, "SVC_RUNTIME_FILE", "PATH"].map((name) => [name, "x"]));
    const kubernetes = { SVC_API_SERVICE_HOST: "10.0.0.1", SVC_API_PORT_4000_TCP_ADDR: "10.0.0.1", SVC_API_PORT: "x" };
    expect(unknownVariables({ ...environment, ...kubernetes })).toEqual([]);
  });
});
