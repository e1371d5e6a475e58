import { catalogue } from "@svc/carriers/catalogue";
import type { Runtime } from "./runtime-file.ts";

/** Credentials are on the page, because certificates take many lines. */
function imitationsMessage({ sandbox, app }: Runtime): string {
  const names = catalogue.map(({ name }) => name).join(", ");
  return `
  Lines     ${sandbox}/lines      credentials and numbers of ${catalogue.length} imitated lines: ${names}
            connect them at ${app}/carriers`;
}

interface ReadyFacts {
  /** A bill of lading to track first. */
  readonly sampleNumber: string;
  /** Whether the sandbox imitates the lines of the catalogue. */
  readonly lines: boolean;
  readonly seconds: number;
}

/** Returns the text that the terminal shows when every service is ready. */
export function readyMessage(runtime: Runtime, { sampleNumber, lines, seconds }: ReadyFacts): string {
  const { apiBaseUrl, token, login, mail } = runtime;
  const caughtMail = mail ? `\n  Mail      ${mail}      caught, not sent` : "";
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
  Carrier   ${runtime.sandbox}      a sandbox line, SCAC SBXL${caughtMail}${lines ? imitationsMessage(runtime) : ""}
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
