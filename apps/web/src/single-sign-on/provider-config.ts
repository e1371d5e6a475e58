import { jsonList, namedItems } from "@svc/domain/json-lists";
import { memberRoles } from "@svc/domain/members";
import { isAddressRange, isLoopbackUrl } from "@svc/egress";
import { z } from "zod";

const entraTenantPattern = /^\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/v2\.0\/?$/i;

/** A provider at a loopback address is one under development. */
const isSecure = (issuer: string): boolean => {
  const url = new URL(issuer);
  return url.protocol === "https:" || isLoopbackUrl(url);
};

/** The issuers of many tenants ("common") let every tenant state any address. */
const isOneTenant = (issuer: string): boolean => {
  const { hostname, pathname } = new URL(issuer);
  return hostname !== "login.microsoftonline.com" || entraTenantPattern.test(pathname);
};

const Provider = z.strictObject({
  /** Part of the address to which the provider sends users back. */
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,49}$/, "must be lower-case letters, digits and hyphens"),
  /** Name on the button of the sign-in page, after "Continue with". */
  label: z.string().trim().min(1).max(60),
  issuer: z
    .url({ protocol: /^https?$/ })
    .refine(isSecure, "must be an https:// address")
    .refine(isOneTenant, "must name one tenant: https://login.microsoftonline.com/<tenant id>/v2.0"),
  clientId: z.string().min(1).max(500),
  clientSecret: z.string().min(1).max(2_000),
  /** Domains of the email addresses for which the provider is trusted. */
  domains: z
    .array(z.string().regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, "must be lower-case domains, without @"))
    .min(1),
  /** The claim by which the provider says that it verified the address. */
  verifiedEmailClaim: z.enum(["email_verified", "xms_edov"]).default("email_verified"),
  /** Whether the provider asks for a second factor, so that ours is not asked for. */
  coversTwoFactor: z.boolean().default(false),
  /** The account that unknown users join, with their role. Null: they need an invitation. */
  join: z
    .strictObject({ accountId: z.uuid(), role: z.enum(memberRoles).exclude(["owner"]) })
    .nullable()
    .default(null),
  /** Private networks at which the provider may be. */
  networks: z
    .array(z.string().refine(isAddressRange, "must be IP addresses or networks such as 10.1.0.0/16"))
    .default([]),
});

/** An OpenID Connect provider by which users sign in (docs/single-sign-on.md). */
export type ProviderConfig = z.output<typeof Provider>;

export const ProviderList = jsonList(namedItems(Provider));
