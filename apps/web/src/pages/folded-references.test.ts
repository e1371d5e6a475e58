import { expect, test } from "@jest/globals";
import { visibleText } from "../testing/visible-text.ts";
import { firstReferences, otherReferences } from "./visible-references.ts";

test("three references are shown, and the others open by their number", () => {
  const references = ["PO-1", "PO-2", "PO-3", "PO-4", "<PO>"];
  expect(firstReferences(references)).toBe("PO-1, PO-2, PO-3");
  const others = String(otherReferences(references, "a1"));
  expect(others).toContain('<details class="others" id="references-a1">');
  expect(others).toContain('aria-label="2 more references"');
  expect(visibleText(others)).toContain("+2 PO-4, &lt;PO&gt;");
});

test("folds nothing of three references or fewer", () => {
  expect(firstReferences(["PO-1", "PO-2", "PO-3"])).toBe("PO-1, PO-2, PO-3");
  expect(otherReferences(["PO-1", "PO-2", "PO-3"], "a1")).toBeNull();
  expect(firstReferences([])).toBe("");
});
