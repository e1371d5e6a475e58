import { type DemurrageRule, demurrageRuleFields } from "@svc/domain/demurrage";
import { z } from "zod";
import { attribute, omitted, wireAttributes } from "../records/wire-attributes.ts";
import { resourceObject } from "../resource.ts";

const attributes = wireAttributes(demurrageRuleFields, {
  id: omitted,
  tiers: {
    tiers: attribute(
      z
        .array(z.object({ from_day: z.number().int(), amount_per_day: z.string() }))
        .describe("Prices of a day from the n-th charged day on, as decimal text."),
      ({ tiers }) => tiers.map(({ fromDay, amountPerDay }) => ({ from_day: fromDay, amount_per_day: amountPerDay })),
    ),
  },
  rowVersion: omitted,
});

/** docs/demurrage.md. */
export const DemurrageRuleResource = resourceObject("demurrage_rule", attributes.shape, {})
  .omit({ relationships: true })
  .meta({ id: "DemurrageRule" });

export type DemurrageRuleResource = z.infer<typeof DemurrageRuleResource>;

export function demurrageRuleResource(rule: DemurrageRule, baseUrl: string): DemurrageRuleResource {
  return {
    id: rule.id,
    type: "demurrage_rule",
    attributes: attributes.of(rule),
    links: { self: `${baseUrl}/demurrage_rules/${rule.id}` },
  };
}
