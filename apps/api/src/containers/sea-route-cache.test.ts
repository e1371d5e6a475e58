import { expect, test } from "@jest/globals";
import { createSeaRoutes } from "./sea-route-cache.ts";

const singapore = { locode: "SGSIN", position: [103.76, 1.27] } as const;
const rotterdam = { locode: "NLRTM", position: [4.05, 51.95] } as const;
const hongKong = { locode: "HKHKG", position: [114.12, 22.34] } as const;

test("caches a route, in whatever order the passages to avoid are given", () => {
  const routes = createSeaRoutes();
  const first = routes.find(singapore, rotterdam, ["suez", "panama"]);
  expect(routes.find(singapore, rotterdam, ["panama", "suez"])).toBe(first);
  expect(routes.find(singapore, rotterdam, [])?.distanceNm).toBeLessThan(first?.distanceNm ?? 0);
});

test("evicts the least recently used route when the cache is full", () => {
  const routes = createSeaRoutes(2);
  const cached = routes.find(singapore, rotterdam, []);
  const evicted = routes.find(singapore, hongKong, []);
  expect(routes.find(singapore, rotterdam, [])).toBe(cached);
  routes.find(rotterdam, hongKong, []);
  expect(routes.find(singapore, rotterdam, [])).toBe(cached);
  expect(routes.find(singapore, hongKong, [])).toEqual(evicted);
  expect(routes.find(singapore, hongKong, [])).not.toBe(evicted);
});
