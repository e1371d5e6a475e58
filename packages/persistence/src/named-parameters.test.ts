import { expect, test } from "@jest/globals";
import { withNames } from "./named-parameters.ts";

const text = "SELECT :id::uuid, :limit FROM t WHERE account_id = :accountId AND id = :id AND at = '10:30'";

test("numbers the parameters by their names, and leaves casts and times", () => {
  const statement = withNames({ name: "test", text }, ["id", "limit"]);
  expect(statement.text).toBe("SELECT $2::uuid, $3 FROM t WHERE account_id = $1 AND id = $2 AND at = '10:30'");
  expect(statement.values({ limit: 3, accountId: "a", id: "b" })).toEqual(["a", "b", 3]);
});

test("rejects a name that the text does not use, and one that has no value", () => {
  expect(() => withNames({ name: "test", text }, ["id", "limit", "scac"])).toThrow("differ in scac");
  expect(() => withNames({ name: "test", text }, ["id"])).toThrow("differ in limit");
});
