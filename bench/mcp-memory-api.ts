/**
 * Loaded before a server (`node --import`): the API in its memory. Every container is the same one, as the API writes
 * it; no connection, no database.
 */
import {
  containerId,
  shipmentId,
  wireContainer,
  wireContainerOverview,
  wireFreshness,
  wireShipment,
  wireTerminal,
} from "@svc/sdk/testing";

const container = wireContainer();
const overview = wireContainerOverview(containerId, {
  shipmentId,
  refNumbers: ["PO-4711"],
  number: container.attributes.number,
});

const origin = "http://api.test/v2";
/** URLs that `get_container` reads. */
export const containerReads = [
  `${origin}/containers/${containerId}`,
  `${origin}/container_overviews`,
  `${origin}/shipments/${shipmentId}/freshness`,
];
const bodies: readonly (readonly [part: string, body: string])[] = [
  ["/containers/", JSON.stringify({ data: container, included: [wireShipment(), wireTerminal()] })],
  ["/container_overviews", JSON.stringify({ data: [overview], meta: { total: 1, size: 1 } })],
  ["/freshness", JSON.stringify({ data: wireFreshness(shipmentId) })],
  ["/healthz", "{}"],
];
const headers = { "content-type": "application/vnd.api+json" };

globalThis.fetch = async (input) => {
  const address = String(input instanceof Request ? input.url : input);
  const found = bodies.find(([part]) => address.includes(part));
  if (!found) throw new Error(`The API in memory has no ${address}.`);
  return new Response(found[1], { headers });
};
