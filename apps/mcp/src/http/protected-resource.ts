import { type RequestHandler, Router } from "express";
import { sendJson } from "./send.ts";

/** The public addresses by which a client without an API token lets its user sign in (RFC 9728). */
export interface SignIn {
  /** Of this MCP server, with its path. */
  readonly publicUrl: string;
  /** The authorization server. */
  readonly appUrl: string;
}

const endpointPaths = ["/mcp", "/api/mcp", "/"] as const;

const wellKnown = "/.well-known/oauth-protected-resource";

const metadataPath = (endpoint: string): string => (endpoint === "/" ? wellKnown : `${wellKnown}${endpoint}`);

/** The address of the metadata of the endpoint that a client called, for the WWW-Authenticate header. */
export const metadataUrl = ({ publicUrl }: SignIn, endpoint: string): string =>
  new URL(metadataPath(endpoint), publicUrl).href;

/** The metadata of each endpoint: a client checks that `resource` is the address that it was configured with. */
export function protectedResourceRoutes({ publicUrl, appUrl }: SignIn): Router {
  const router = Router();
  for (const endpoint of endpointPaths) {
    const metadata = {
      resource: new URL(endpoint, publicUrl).href,
      resource_name: "Shipment Tracking Service",
      authorization_servers: [appUrl],
      scopes_supported: ["read", "write"],
      bearer_methods_supported: ["header"],
    };
    const answer: RequestHandler = (_request, response) => {
      response.set({ "Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=3600" });
      sendJson(response, 200, metadata);
    };
    router.get(metadataPath(endpoint), answer);
  }
  return router;
}
