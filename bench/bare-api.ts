/**
 * The baseline: a bare Express handler over one pool that runs the same statements as the API and returns the same bytes,
 * without authentication, limits, validation, conditions or a request log. Started by the benchmark with PORT and
 * DATABASE_URL.
 */
import { shipmentResource } from "@svc/jsonapi";
import { connectDatabase, createShipmentRepository } from "@svc/persistence";
import express from "express";

const accountId = process.env.BENCH_ACCOUNT_ID ?? "";
const baseUrl = process.env.SVC_BASE_URL ?? "";
const database = connectDatabase({
  url: process.env.DATABASE_URL ?? "",
  applicationName: "bare-api",
  onIdleError: () => undefined,
});
const shipments = createShipmentRepository(database.sql);
const app = express();
app.disable("x-powered-by");
app.disable("etag");

const send = async (response: express.Response, id: string): Promise<void> => {
  const shipment = await shipments.find(accountId, id);
  if (!shipment) return void response.status(404).end();
  response.setHeader("Content-Type", "application/vnd.api+json");
  response.end(JSON.stringify({ data: shipmentResource(shipment, baseUrl) }));
};

app.get("/readyz", (_request, response) => void response.json({}));
app.get("/v2/shipments/:id", (request, response) => send(response, request.params.id));
app.patch("/v2/shipments/:id", express.json(), async (request, response) => {
  const { ref_numbers: refNumbers } = request.body.data.attributes as { ref_numbers: string[] };
  const now = new Date().toISOString() as Parameters<typeof shipments.edit>[3]["now"];
  await shipments.edit(accountId, request.params.id, { refNumbers }, { now, ifVersions: null });
  await send(response, request.params.id);
});
app.listen(Number(process.env.PORT), "127.0.0.1");
