import { expect, test } from "@jest/globals";
import { voyageText } from "./timeline-step.ts";

test("shows vessel and voyage as text, or nothing", () => {
  expect(voyageText("EVER GIVEN", "034E")).toBe("EVER GIVEN, voyage 034E");
  expect([voyageText(null, "034E"), voyageText(null, undefined)]).toEqual(["voyage 034E", null]);
});
