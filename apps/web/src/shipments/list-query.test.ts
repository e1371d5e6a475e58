import { expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { apiPathOf, readListQuery } from "./list-query.ts";

test("a tag with a comma is one tag for the API too", () => {
  const path = apiPathOf(readListQuery({ tag: "Berlin, Mitte" }), instant("2026-11-21T10:00:00.000Z"));
  expect(new URL(path, "http://localhost").searchParams.get("filter[tag]")).toBe("Berlin\\, Mitte");
});
