import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { html } from "./html.ts";

describe("markup", () => {
  test("values are escaped, markup and lists of it are not", () => {
    const items = ["<b>", "&"].map((item) => html`<li title="${item}">${item}</li>`);
    expect(String(html`<ul>${items}${null}${false}${0}</ul>`)).toBe(
      '<ul><li title="&lt;b&gt;">&lt;b&gt;</li><li title="&amp;">&amp;</li>0</ul>',
    );
  });

  test("no text can leave its place", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(String(html`${text}`)).not.toMatch(/[<>"']/);
      }),
    );
  });

  test("an object that looks like markup is no markup", () => {
    const forged = { toString: () => "<script>" } as unknown as string;
    expect(String(html`${[forged].map(String)}`)).toBe("&lt;script&gt;");
  });
});
