import { expect, test } from "@jest/globals";
import { filterText } from "./alert-text.ts";

const viewId = "01980000-0000-7000-8000-000000000001";

const filters = {
  kinds: [],
  severities: [],
  carriers: [],
  customers: [],
  tags: ["reefer"],
  minimum_amount: null,
  minimum_amount_currency: null,
  saved_view_id: viewId,
  includes_resolved: false,
} as const;

test.each([
  ["Urgent shipments of Kite", viewId, "tag reefer · view “Urgent shipments of Kite”"],
  ["of another member, without its name", "01980000-0000-7000-8000-000000000002", "tag reefer · of a saved view"],
])("an alert names its view: %s", (name, id, text) => {
  const attributes = filters as unknown as Parameters<typeof filterText>[0];
  expect(filterText(attributes, new Map([[id, name]]))).toBe(text);
});
