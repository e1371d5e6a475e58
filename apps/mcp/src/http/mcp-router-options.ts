import type { Logger, Tracer } from "@svc/service-kit";
import type { Surface } from "../protocol/surface.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import type { RecordCall } from "./call-record.ts";
import type { InvalidTokenLimitOptions } from "./invalid-token-limit.ts";
import type { SignIn } from "./protected-resource.ts";

export interface McpRouterOptions extends InvalidTokenLimitOptions {
  readonly surface: Surface;
  readonly apiBaseUrl: string;
  /** Address of the web application, to whose pages results link; undefined: not known. */
  readonly appUrl?: string | undefined;
  /** Used for a request without Authorization. */
  readonly ownToken: string | undefined;
  /** Addresses where users of clients without an API token sign in; not set: OAuth is not offered. */
  readonly signIn?: SignIn | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly subscriptions: Subscriptions;
  readonly logger: Logger;
  /** Default: the tracer of the provider that the process has registered. */
  readonly tracer?: Tracer;
  readonly record: RecordCall;
}
