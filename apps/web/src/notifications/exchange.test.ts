import { expect, test } from "@jest/globals";
import { bodyText } from "./exchange.ts";

const format = (body: string | null): string => String(bodyText(body, "Nothing came."));

test("a body of JSON is shown in lines, any other as it came", () => {
  expect(format('{"data":[1,{"a":null}]}')).toBe(
    `<pre tabindex="0">${'{\n  "data": [\n    1,\n    {\n      "a": null\n    }\n  ]\n}'.replaceAll('"', "&quot;")}</pre>`,
  );
  expect(format("<b>no JSON")).toBe('<pre tabindex="0">&lt;b&gt;no JSON</pre>');
  expect(format("")).toContain("The body is empty.");
  expect(format(null)).toContain("Nothing came.");
});

test.each([21, 1_000, 32_000])("JSON that is nested %d deep is not made longer than it is", (depth) => {
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
  ] as const) {
    const body = `${open.repeat(depth)}0${close.repeat(depth)}`;
    expect(format(body)).toBe(`<pre tabindex="0">${body.replaceAll('"', "&quot;")}</pre>`);
  }
});

test("shows a document of 20 nested levels in lines", () => {
  expect(format(`${"[".repeat(20)}0${"]".repeat(20)}`).split("\n")).toHaveLength(41);
});
