export { addressRanges, isAddressRange } from "./address-ranges.ts";
export { createEgressAgent, type EgressAgent } from "./egress-agent.ts";
export { EgressError } from "./egress-error.ts";
export { createEgressFetch, type EgressFetch } from "./egress-fetch.ts";
export { type EgressPolicy, isLoopbackUrl, parseTarget } from "./egress-target.ts";
export { egressPolicy, egressVariables } from "./egress-variables.ts";
export { type Exchange, type Post, postOnce, responseStatus } from "./post-once.ts";
export { createWebhookSigner, type WebhookSigner, webhookHeaders } from "./webhook-signature.ts";
