import type { Clock } from "@svc/domain";
import type { addressRanges, EgressFetch } from "@svc/egress";
import type { Database } from "@svc/persistence";
import type { Logger } from "@svc/service-kit";
import type { Express, RequestHandler } from "express";
import type { Registry } from "prom-client";
import type { FirstOwner } from "./access/setup.ts";
import type { AccountHandler } from "./http/handler.ts";
import type { ProviderConfig } from "./single-sign-on/provider-config.ts";

export interface WebOptions {
  readonly database: Database;
  /** Public base URLs, without a trailing slash. */
  readonly appUrl: string;
  readonly apiBaseUrl: string;
  readonly mcpUrl: string;
  /** Base URL of the API inside the deployment, with /v2. */
  readonly internalApiBaseUrl: string;
  /** Clock of tracked data. Sessions, tokens and webhooks use the real time. */
  readonly clock: Clock;
  /** Reverse proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxyCount: number;
  /** First owner, created when there is no account. Absent when an operator sets up the account in a browser. */
  readonly firstOwner?: FirstOwner | undefined;
  /** Reads what applications that ask for access name by its address. The caller destroys it. */
  readonly documents: EgressFetch;
  /** Encrypts the secrets of two-factor authentication, which is not available without. */
  readonly secretKey?: string | undefined;
  /** Providers by which users sign in. Default: none. */
  readonly providers?: readonly ProviderConfig[];
  /** Networks to which no request for the sign-in goes. Default: none. */
  readonly deniedNetworks?: ReturnType<typeof addressRanges>;
  /** Whether the webhook worker sends e-mail. */
  readonly sendsMail: boolean;
  /** Folder of the mails that the installation does not send; absent: it sends them, or has none. */
  readonly caughtMailFolder?: string | undefined;
  /** Aborted when the process shuts down. */
  readonly stopping?: AbortSignal;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Additional routes of the process, such as the deep link. They take precedence over the pages and show no times. */
  readonly extend?: (app: Express, forAccount: (handler: AccountHandler) => RequestHandler) => void;
}
