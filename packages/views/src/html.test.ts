import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { html } from "./html.ts";

describe("markup", () => {
  test("escapes values, but not markup and lists of markup", () => {
    const items = ["<b>", "&"].map((item) => html`<li title="${item}">${item}</li>`);
    expect(String(html`<ul>${items}${null}${false}${0}</ul>`)).toBe(
      '<ul><li title="&lt;b&gt;">&lt;b&gt;</li><li title="&amp;">&amp;</li>0</ul>',
    );
  });

  test("no text can break out of its element or attribute", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(String(html`${text}`)).not.toMatch(/[<>"']/);
      }),
    );
  });

  test("escapes an object that only looks like markup", () => {
    const forged = { toString: () => "<script>" } as unknown as string;
    expect(String(html`${[forged].map(String)}`)).toBe("&lt;script&gt;");
  });
});
