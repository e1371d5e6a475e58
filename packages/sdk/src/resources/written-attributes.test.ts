import { expect, test } from "@jest/globals";
import type { createAlertSubscriptionDocument } from "@svc/jsonapi/alerts";
import type { createDemurrageRuleDocument } from "@svc/jsonapi/demurrage";
import type { createEmissionFactorDocument } from "@svc/jsonapi/emissions";
import type { createSavedViewDocument } from "@svc/jsonapi/saved-views";
import { writeDocument } from "../documents/write-document.ts";
import type { CamelCase } from "../mapped/camelize.ts";
import type { NewAlertSubscription } from "./alert-subscriptions.ts";
import type { NewDemurrageRule } from "./demurrage-rules.ts";
import type { NewEmissionFactor } from "./emission-factors.ts";
import type { NewSavedView } from "./saved-views.ts";

interface Written {
  readonly attributes: { readonly shape: object };
}

/** The attributes that the API takes and the client does not, and the other way round. */
type Difference<Document extends Written, Input> =
  | Exclude<CamelCase<keyof Document["attributes"]["shape"] & string>, keyof Input>
  | Exclude<keyof Input, CamelCase<keyof Document["attributes"]["shape"] & string>>;

test("the client takes the attributes that the API takes: checked by the compiler", () => {
  const differences: readonly (
    | Difference<typeof createAlertSubscriptionDocument, NewAlertSubscription>
    | Difference<typeof createDemurrageRuleDocument, NewDemurrageRule>
    | Difference<typeof createEmissionFactorDocument, NewEmissionFactor>
    | Difference<typeof createSavedViewDocument, NewSavedView>
  )[] = [];
  expect(differences satisfies readonly never[]).toEqual([]);
});

test("attributes are written by the names that they have on the wire, at the first level", () => {
  expect(writeDocument("saved_view", "v1", { isDefault: true, filters: { updated_after: "2026-01-01" } })).toEqual({
    data: { type: "saved_view", id: "v1", attributes: { is_default: true, filters: { updated_after: "2026-01-01" } } },
  });
});
