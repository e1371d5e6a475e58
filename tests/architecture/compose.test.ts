import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";

const file = path.resolve(import.meta.dirname, "../../docker/compose.yml");
interface Service {
  readonly build?: object;
  readonly ports?: readonly string[];
}
const { services } = parse(fs.readFileSync(file, "utf8"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};

test("every service runs in compose without privileges, in a read-only file system", () => {
  const ownServices = Object.entries(services).filter(([, { build }]) => build);
  expect(ownServices.length).toBeGreaterThanOrEqual(7);
  for (const [name, service] of ownServices) {
    expect([name, service]).toMatchObject([
      name,
      { read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] },
    ]);
  }
});

test("no store publishes a port", () => {
  const stores = Object.entries(services).filter(([, { build }]) => !build);
  expect(stores.map(([name, { ports }]) => [name, ports])).toEqual([
    ["postgres", undefined],
    ["redis", undefined],
  ]);
});
