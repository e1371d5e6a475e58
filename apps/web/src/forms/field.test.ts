import { expect, test } from "@jest/globals";
import { field, formProblem, groupProblem, type Problems } from "./field.ts";

const page = (problems: Problems): string =>
  [
    String(field({ label: "Name", name: "name", problems, hasFocus: true })),
    String(field({ label: "Address", name: "address", problems, hint: "Of the company." })),
    String(groupProblem(problems, "days")),
  ].join("\n");

const focused = (markup: string): string[] =>
  [...markup.matchAll(/<\w+ [^>]*id="(\w+)"[^>]* autofocus/g)].map(([, id = ""]) => id);

test.each([
  [{}, ["name"]],
  [{ "": "Not now." }, ["name"]],
  [{ days: "Too many.", address: "Missing." }, ["address"]],
  [{ days: "Too many." }, ["days"]],
  [{ name: "Too long.", days: "Too many." }, ["name"]],
])("with the problems %j the focus is in %j", (problems, expected) => {
  expect(focused(page(problems))).toEqual(expected);
  expect(focused(page(problems))).toEqual(expected);
});

test("a wrong field names its hint and problem", () => {
  expect(page({ address: "Missing." })).toContain(
    ' autofocus aria-invalid="true" aria-describedby="address-hint address-problem">',
  );
});

test("problems above a form lead to their fields", () => {
  expect(formProblem({})).toBeNull();
  expect(String(formProblem({ "": "The form is too old." }))).toBe(
    '<div class="notice is-error" role="alert">The form is too old.</div>',
  );
  expect(String(formProblem({ days: "Too <many>." }))).toContain(
    'Check these fields:<ul class="plain"><li><a href="#days">Too &lt;many&gt;.</a></li></ul>',
  );
});
