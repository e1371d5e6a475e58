import { expect, test } from "@jest/globals";
import { normalizeArguments } from "./normalize-arguments.ts";

const texts = { type: "array", items: { type: "string" } };
const schema = {
  type: "object",
  properties: {
    refNumbers: texts,
    numbers: texts,
    status: { type: "array", items: { type: "string", enum: ["on_ship", "grounded"] } },
    days: { type: "array", items: { type: "integer" } },
  },
};

test.each([
  ["refNumbers", "PO-1, rev B", ["PO-1, rev B"]],
  ["refNumbers", ["PO-1, rev B", "PO-2"], ["PO-1, rev B", "PO-2"]],
  ["numbers", "MSCU1234566, MSKU0000006", ["MSCU1234566", "MSKU0000006"]],
  ["status", "on_ship,grounded", ["on_ship", "grounded"]],
  ["days", "1, 2", [1, 2]],
])("%s of %j is %j", (name, value, expected) => {
  const { input } = normalizeArguments({ [name]: value }, schema, { commaSeparated: ["numbers"] }) ?? {};
  expect(input).toEqual({ [name]: expected });
});
