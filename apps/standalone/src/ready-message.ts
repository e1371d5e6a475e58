import type { Runtime } from "./runtime-file.ts";

/** What the person at the terminal sees once everything answers. `sampleNumber`: a bill of lading to track first. */
export function readyMessage(runtime: Runtime, sampleNumber: string, seconds: number): string {
  const { apiBaseUrl, token, login } = runtime;
  const authorization = `-H "Authorization: Token ${token}"`;
  const body = JSON.stringify({
    data: {
      type: "tracking_request",
      attributes: { request_type: "bill_of_lading", request_number: sampleNumber, scac: "SBXL" },
    },
  });
  return `
  Shipment Tracking Service is ready after ${seconds.toFixed(1)} s

  API       ${apiBaseUrl}
  MCP       ${runtime.mcp}/mcp
  Web app   ${runtime.app}      sign in as ${login.email} with ${login.password}
  Carrier   ${runtime.sandbox}      a sandbox line, SCAC SBXL
  Token     ${token}

  To paste in another terminal:

  1. Track a shipment
     curl -s -X POST ${apiBaseUrl}/tracking_requests ${authorization} -H "Content-Type: application/json" -d '${body}'
  2. See it
     curl -s "${apiBaseUrl}/shipments?include=containers" ${authorization}
  3. Receive its webhooks
     npm run demo:receiver

  Queue on ${runtime.queue === "redis" ? "Redis" : "PostgreSQL"}. Data in ${runtime.dataDir}
  (deleted by \`npm start -- --fresh\`). Stop with Ctrl-C.
`;
}
