/**
 * Loaded before a server (`node --import`): the API in its memory. Every container is the same one, as the API writes
 * it; no connection, no database.
 */
import { containerId, wireContainer } from "@svc/sdk/testing";

const body = JSON.stringify({ data: wireContainer() });
const headers = { "content-type": "application/vnd.api+json" };

/** A container to ask for. */
export const knownContainerId = containerId;

globalThis.fetch = async () => new Response(body, { headers });
