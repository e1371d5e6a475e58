import { z } from "zod";
import { type AddressRanges, addressRanges, isAddressRange } from "./address-ranges.ts";
import type { EgressPolicy } from "./egress-target.ts";

const ranges = z
  .string()
  .default("")
  .transform((list) => list.split(",").flatMap((range) => (range.trim() === "" ? [] : [range.trim()])))
  .refine((list) => list.every(isAddressRange), "must be IP addresses or networks such as 10.1.0.0/16, comma-separated")
  .transform(addressRanges);

/** The environment variables of services that send requests to URLs of users. */
export const egressVariables = {
  SVC_EGRESS_ALLOW: ranges.describe(
    "private networks that requests to addresses of users may go to, for example 10.1.0.0/16,fd00::1",
  ),
  SVC_EGRESS_DENY: ranges.describe(
    "networks that requests to addresses of users never go to, even public or allowed ones",
  ),
};

/** The policy of the variables, without `SVC_WEBHOOK_ALLOW_INSECURE_TARGETS`. */
export function egressPolicy(config: {
  readonly SVC_EGRESS_ALLOW: AddressRanges;
  readonly SVC_EGRESS_DENY: AddressRanges;
  readonly SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: boolean;
}): EgressPolicy {
  return {
    allowInsecureTargets: config.SVC_WEBHOOK_ALLOW_INSECURE_TARGETS,
    allowed: config.SVC_EGRESS_ALLOW,
    denied: config.SVC_EGRESS_DENY,
  };
}
