import { expect, test } from "@jest/globals";
import { withNames, withServiceNames } from "./named-parameters.ts";

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

test("numbers the parameters of a statement of the service from its first name", () => {
  const texts = { name: "test", text: "UPDATE t SET a = :a, b = :b WHERE credential = :credential" };
  const statement = withServiceNames(texts, ["credential", "a", "b"]);
  expect(statement.text).toBe("UPDATE t SET a = $2, b = $3 WHERE credential = $1");
  expect(statement.values({ a: 1, b: 2, credential: "c" })).toEqual(["c", 1, 2]);
  expect(() => withServiceNames(texts, ["a", "b"])).toThrow("differ in credential");
});
