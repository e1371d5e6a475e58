// Walks the services of compose.yml over HTTP as a client does, in the network of the engine:
//   node scripts/prove/container-walk.ts <token> <address of the engine's network that containers reach>
import http from "node:http";
import type { AddressInfo } from "node:net";
import { sleep } from "./shell.ts";

const [token = "", address = ""] = process.argv.slice(2);
const api = "http://localhost:4000/v2";

interface Resource {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

async function call<Data>(method: string, path: string, data?: object): Promise<Data> {
  const response = await fetch(`${api}${path}`, {
    method,
    headers: { authorization: `Token ${token}`, "content-type": "application/vnd.api+json" },
    ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return (JSON.parse(text) as { data: Data }).data;
}

async function until(what: string, condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within two minutes.`);
    await sleep(250);
  }
  console.log(`       ${what}`);
}

const received: string[] = [];
const receiver = http.createServer((request, response) => {
  request.setEncoding("utf8").on("data", (text: string) => received.push(text));
  request.on("end", () => response.writeHead(204).end());
});
await new Promise<void>((resolve) => receiver.listen(0, "0.0.0.0", resolve));
const { port } = receiver.address() as AddressInfo;

const attributes = { url: `http://${address}:${port}/hook`, active: true, events: ["tracking_request.succeeded"] };
await call("POST", "/webhooks", { type: "webhook", attributes });
const number = `SBXDIR${String(process.pid).padStart(6, "0").slice(-6)}`;
const request = await call<Resource>("POST", "/tracking_requests", {
  type: "tracking_request",
  attributes: { request_type: "bill_of_lading", request_number: number, scac: "SBXL" },
});
await until("the tracking request succeeds", async () => {
  const { attributes: current } = await call<Resource>("GET", `/tracking_requests/${request.id}`);
  return current.status === "created" || current.status === "tracking_succeeded" || current.status === "succeeded";
});
await until("its shipment is listed", async () => (await call<Resource[]>("GET", "/shipments")).length > 0);
await until("its webhook is delivered", () => received.some((text) => text.includes("tracking_request.succeeded")));
await until("the web application answers", async () => (await fetch("http://localhost:4002/login")).ok);
await until("the MCP server answers with its tools", async () => {
  const response = await fetch("http://localhost:4001/mcp", {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  return (await response.text()).includes("list_shipments");
});
receiver.close();
receiver.closeAllConnections();
