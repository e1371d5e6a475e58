import { type RequestHandler, Router } from "express";
import { isReadOnlyPath, readOnlyPaths } from "./read-only.ts";
import { sendJson } from "./send.ts";

/** The public addresses by which a client without an API token lets its user sign in (RFC 9728). */
export interface SignIn {
  /** URL of this MCP server, with its path. */
  readonly publicUrl: string;
  /** The authorization server. */
  readonly appUrl: string;
}

const endpointPaths = ["/mcp", "/api/mcp", ...readOnlyPaths, "/"];

/** Returns the scopes that a client of this endpoint requests. */
const requiredScopes = (endpoint: string): string[] => (isReadOnlyPath(endpoint) ? ["read"] : ["read", "write"]);

const wellKnown = "/.well-known/oauth-protected-resource";

const metadataPath = (endpoint: string): string => (endpoint === "/" ? wellKnown : `${wellKnown}${endpoint}`);

/** Returns the values of the WWW-Authenticate header for the endpoint that a client called. */
export const signInAt = ({ publicUrl }: SignIn, endpoint: string) => ({
  metadataUrl: new URL(metadataPath(endpoint), publicUrl).href,
  scopes: requiredScopes(endpoint),
});

/** The metadata of each endpoint: a client checks that `resource` is the address that it was configured with. */
export function protectedResourceRoutes({ publicUrl, appUrl }: SignIn): Router {
  const router = Router();
  for (const endpoint of endpointPaths) {
    const metadata = {
      resource: new URL(endpoint, publicUrl).href,
      resource_name: "Shipment Tracking Service",
      authorization_servers: [appUrl],
      scopes_supported: requiredScopes(endpoint),
      bearer_methods_supported: ["header"],
    };
    const sendMetadata: RequestHandler = (_request, response) => {
      response.set({ "Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=3600" });
      sendJson(response, 200, metadata);
    };
    router.get(metadataPath(endpoint), sendMetadata);
  }
  return router;
}
