import { isIP } from "node:net";
import { TrackingError } from "@svc/domain";
import type { Settings } from "../services.ts";

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The address of a webhook in its normal form. Throws `TrackingError` for one that can never be delivered to
 * (contract-decisions.md 5, Egress safety). Where a name leads is checked when it is connected to.
 */
export function readWebhookTarget(text: string, settings: Pick<Settings, "allowInsecureWebhookTargets">): string {
  const refuse = (detail: string): TrackingError =>
    TrackingError.of("invalid", detail, { source: { pointer: "/data/attributes/url" } });
  const url = URL.parse(text);
  if (!url) throw refuse("url must be an absolute address, such as https://example.com/webhooks.");
  const insecure = settings.allowInsecureWebhookTargets;
  if (url.protocol !== "https:" && !(insecure && url.protocol === "http:"))
    throw refuse("url must begin with https://.");
  if (url.username !== "" || url.password !== "") throw refuse("url must not hold a user name or password.");
  if (!insecure && (loopbackNames.has(url.hostname) || isInternalName(url.hostname))) {
    throw refuse("url must be reachable from the internet.");
  }
  url.hash = "";
  return url.href;
}

/** Names that no public resolver answers, and address literals of private networks. */
function isInternalName(host: string): boolean {
  if (host.startsWith("[")) return /^\[(?:::|f[cd]|fe[89ab]|::ffff:)/i.test(host);
  if (isIP(host) === 4)
    return /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
      `${host}.`,
    );
  return /(?:^|\.)(?:localhost|local|internal|localdomain)\.?$/.test(host) || !host.includes(".");
}
