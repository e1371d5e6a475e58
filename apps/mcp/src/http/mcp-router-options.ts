import type { Logger } from "@svc/service-kit";
import type { Surface } from "../protocol/surface.ts";
import type { RecordCall } from "./call-record.ts";

export interface McpRouterOptions {
  readonly surface: Surface;
  readonly apiBaseUrl: string;
  /** Used for a request without Authorization. */
  readonly ownToken: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly logger: Logger;
  readonly record: RecordCall;
}
