import { expect, test } from "@jest/globals";
import { accessTable } from "../testing/access-table.ts";
import { pathWithoutForm } from "./path-without-form.ts";

test.each([
  ["/account/views/3f/edit", "/account/views"],
  ["/account/customers", "/account/customers"],
  ["/account/invitations/3f/withdraw", "/account/members"],
  ["/developers/webhooks/3f/rotate", "/developers/webhooks"],
  ["/oauth/interaction/3f", "/developers/mcp"],
  ["/shipments/3f/edit", "/shipments"],
  ["/track/bulk", "/track"],
])("the form %s leads to %s", (path, page) => {
  expect(pathWithoutForm(path)).toBe(page);
});

test("every form of a member leads to a page", () => {
  const pages = new Set(accessTable.flatMap(({ method, path }) => (method === "GET" ? path : [])));
  const forms = accessTable.flatMap(({ method, access, path }) =>
    method === "POST" && access !== "anyone" ? path : [],
  );
  expect(forms.filter((path) => !pages.has(pathWithoutForm(path)))).toEqual([]);
});
