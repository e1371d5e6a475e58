/**
 * The baseline: a bare Express handler that runs the same statements as the API through one pool of pg and returns the
 * same bytes, without authentication, limits, validation, conditions or a request log. Started by the benchmark with
 * PORT and DATABASE_URL; with BENCH_OUR_DRIVER its rows are read by our own queries, which is quicker.
 */
import type { Shipment } from "@svc/domain/shipments";
import { containerResource } from "@svc/jsonapi/containers";
import { pageLinks } from "@svc/jsonapi/documents";
import { shipmentResource } from "@svc/jsonapi/shipments";
import { type AccountSql, connectDatabase, type Statement } from "@svc/persistence";
import { createContainerRepository } from "@svc/persistence/containers";
import { createShipmentRepository } from "@svc/persistence/shipments";
import express from "express";

/** The account of a request: set by the load generator, because nothing is authenticated here. */
const accountOf = (request: express.Request): string => request.get("x-account") ?? process.env.BENCH_ACCOUNT_ID ?? "";
const baseUrl = process.env.SVC_BASE_URL ?? "";
const database = connectDatabase({
  url: process.env.DATABASE_URL ?? "",
  applicationName: "bare-api",
  onIdleError: () => undefined,
});
/** A bare handler reads the tables instead of the views of an account's own rows. */
const unguarded = new Map<string, Statement>();
function withoutGuard(statement: Statement): Statement {
  const known = unguarded.get(statement.text);
  if (known) return known;
  const bare = { ...statement, text: statement.text.replaceAll("own_", "") };
  unguarded.set(statement.text, bare);
  return bare;
}
const { pool } = database;
const throughPg: AccountSql = {
  rows: async <Row extends object>({ name, text }: Statement, values: readonly unknown[]) =>
    (await pool.query({ name, text, values: [...values] })).rows as Row[],
  execute: async ({ name, text }, values) => (await pool.query({ name, text, values: [...values] })).rowCount ?? 0,
};
const through: AccountSql = process.env.BENCH_OUR_DRIVER ? database.sql : throughPg;
const sql: AccountSql = {
  rows: (statement, values) => through.rows(withoutGuard(statement), values),
  execute: (statement, values) => through.execute(withoutGuard(statement), values),
};
const shipments = createShipmentRepository(sql);
const containers = createContainerRepository(sql);
const app = express();
app.disable("x-powered-by");
app.disable("etag");

const send = (response: express.Response, shipment: Shipment | null): void => {
  if (!shipment) return void response.status(404).end();
  response.setHeader("Content-Type", "application/vnd.api+json");
  response.end(JSON.stringify({ data: shipmentResource(shipment, baseUrl) }));
};

app.get("/readyz", (_request, response) => void response.json({}));
app.get("/v2/shipments/:id", async (request, response) => {
  send(response, await shipments.find(accountOf(request), request.params.id));
});
app.get("/v2/shipments", async (request, response) => {
  const accountId = accountOf(request);
  const pageRequest = {
    size: 30,
    sortBy: "created_at",
    descending: true,
    position: { kind: "number", number: 1 },
  } as const;
  const page = await shipments.list(accountId, { status: ["in_transit"] }, pageRequest);
  const ids = page.items.flatMap(({ containerIds }) => containerIds);
  const included = (await containers.findMany(accountId, ids)).map((container) =>
    containerResource(container, baseUrl),
  );
  const links = pageLinks({
    url: `${baseUrl}/shipments`,
    pairs: [...new URL(request.url, baseUrl).searchParams],
    request: pageRequest,
    page,
    rowOf: ({ id, createdAt }) => ({ id, value: createdAt }),
  });
  response.setHeader("Content-Type", "application/vnd.api+json");
  const data = page.items.map((shipment) => shipmentResource(shipment, baseUrl));
  response.end(JSON.stringify({ data, included, ...links }));
});
app.patch("/v2/shipments/:id", express.json(), async (request, response) => {
  const { ref_numbers: refNumbers } = request.body.data.attributes as { ref_numbers: string[] };
  const now = new Date().toISOString() as Parameters<typeof shipments.edit>[3]["now"];
  const accountId = accountOf(request);
  const shipment = await shipments.edit(accountId, request.params.id, { refNumbers }, { now, ifVersions: null });
  send(response, shipment);
});
app.listen(Number(process.env.PORT), "127.0.0.1");
