import { isIP } from "node:net";
import { EgressError, parseTarget } from "@svc/egress";
import { attributeSource, type ErrorSource, TrackingError } from "@svc/jsonapi";
import type { Settings } from "../services.ts";

/** Names that no public resolver resolves. */
function isInternalName(host: string): boolean {
  if (host.startsWith("[") || isIP(host) !== 0) return false;
  return /(?:^|\.)(?:local|internal|localdomain)\.?$/.test(host) || !host.includes(".");
}

/**
 * The address of a webhook in its normal form, by the rules of deliveries. Throws `TrackingError` at the source for
 * one that can never be delivered to (docs/contract/decisions.md 5, Egress safety). Where a name leads is checked when
 * it is connected to.
 */
export function readWebhookTarget(
  text: string,
  settings: Pick<Settings, "webhookTargets">,
  source: ErrorSource = attributeSource("url"),
): string {
  const refuse = (why: string, cause?: unknown): TrackingError =>
    new TrackingError(
      [
        {
          code: "invalid",
          detail: `url must be an address such as https://example.com/webhooks. ${why}`,
          source,
        },
      ],
      { cause },
    );
  const policy = settings.webhookTargets;
  let url: URL;
  try {
    url = parseTarget(text, policy);
  } catch (error) {
    throw error instanceof EgressError ? refuse(error.message, error) : error;
  }
  const opensPrivateNetworks = policy.allowInsecureTargets || (policy.allowed?.size ?? 0) > 0;
  if (!opensPrivateNetworks && isInternalName(url.hostname)) throw refuse("The name is not known on the internet.");
  url.hash = "";
  return url.href;
}
