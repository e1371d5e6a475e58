import type { LocalDate } from "../local-time.ts";
import type { DemurrageRule, DemurrageScope } from "./demurrage-rule.ts";

/** Attributes of a container that the scopes of rules are matched with. */
export interface ScopedContainer {
  readonly carrierScac: string;
  /** UN/LOCODE of the port of the rule's direction. */
  readonly portLocode: string | null;
  /** FIRMS and SMDG code of the terminal at the port of discharge. */
  readonly terminalCodes: readonly string[];
  readonly equipmentType: string | null;
  readonly equipmentLength: number | null;
}

const allows = <Value>(allowed: readonly Value[], value: Value | null): boolean =>
  allowed.length === 0 || (value !== null && allowed.includes(value));

/** Whether the rule applies to the container when the counting starts on that day. */
export function appliesTo(rule: DemurrageScope, container: ScopedContainer, startDay: LocalDate): boolean {
  return (
    (rule.carrierScac === null || rule.carrierScac === container.carrierScac) &&
    (rule.portLocode === null || rule.portLocode === container.portLocode) &&
    (rule.terminalCode === null || container.terminalCodes.includes(rule.terminalCode)) &&
    allows(rule.equipmentTypes, container.equipmentType) &&
    allows(rule.equipmentLengths, container.equipmentLength) &&
    (rule.validFrom === null || rule.validFrom <= startDay) &&
    (rule.validUntil === null || rule.validUntil >= startDay)
  );
}

/**
 * The more specific first: by terminal, port, carrier, equipment type and length, then what is valid since a later day.
 */
const specificity = (rule: DemurrageRule): readonly (number | string)[] => [
  Number(rule.terminalCode !== null),
  Number(rule.portLocode !== null),
  Number(rule.carrierScac !== null),
  Number(rule.equipmentTypes.length > 0),
  Number(rule.equipmentLengths.length > 0),
  rule.validFrom ?? "",
  rule.createdAt,
  rule.id,
];

function compareSpecificity(one: DemurrageRule, other: DemurrageRule): number {
  const others = specificity(other);
  for (const [index, value] of specificity(one).entries()) {
    const compared = others[index];
    if (compared !== undefined && value !== compared) return value > compared ? -1 : 1;
  }
  return 0;
}

/** The most specific of the rules; of equal ones the newest. */
export const mostSpecific = <Rule extends DemurrageRule>(rules: readonly Rule[]): Rule | undefined =>
  rules.toSorted(compareSpecificity)[0];
