import { expect, test } from "@jest/globals";
import { viewLists } from "@svc/domain/saved-views";
import { listAddresses } from "./list-addresses.ts";

test.each(viewLists)("a typed customer replaces the exact one that a link to the list of %s has", (list) => {
  const { addressOf, path } = listAddresses[list];
  const link = { customer_name: "Kite & Sons" };
  expect(addressOf(link, "")).toBe(`${path}?customer_name=Kite+%26+Sons`);
  expect(addressOf({ ...link, customer: "" }, "")).toBe(`${path}?customer_name=Kite+%26+Sons`);
  expect(addressOf({ ...link, customer: "Nordic" }, "")).toBe(`${path}?customer=Nordic`);
});
