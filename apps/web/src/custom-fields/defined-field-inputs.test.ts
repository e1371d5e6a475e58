import { expect, test } from "@jest/globals";
import { definedFieldInputs } from "./defined-field-inputs.ts";
import type { DefinedField } from "./read-defined-fields.ts";

const field: DefinedField = {
  slug: "stops",
  label: "Stops",
  description: "",
  validation: null,
  value: null,
  valueId: null,
  dataType: "enum_multi",
  options: [
    { value: "weigh", label: "Weigh bridge", position: 1 },
    { value: "scan", label: "X-ray", position: 2 },
  ],
};

test("the summary of a refused form leads to the problem of a field with several options, above its boxes", () => {
  const problems = { "custom-stops": "An option no longer exists." };
  const markup = String(definedFieldInputs([field], new Map([["custom-stops", "weigh"]]), problems));
  const problem = '<p class="problem" id="custom-stops" tabindex="-1" autofocus>An option no longer exists.</p>';
  expect(markup).toContain(problem);
  expect(markup.indexOf(problem)).toBeLessThan(markup.indexOf('type="checkbox"'));
  expect(markup).not.toContain('for="custom-stops"');
});
