/**
 * The minimum that returns a shipment: Express, one named statement on one table through pg with its default types, one
 * document. No names of ports or carriers, no containers, no checks. Started by the benchmark with PORT and
 * DATABASE_URL.
 */
import express from "express";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = express();
app.disable("x-powered-by");
app.disable("etag");

app.get("/readyz", (_request, response) => void response.json({}));
app.get("/v2/shipments/:id", async (request, response) => {
  const { rows } = await pool.query({
    name: "read",
    text: "SELECT * FROM shipments WHERE account_id = $1 AND id = $2",
    values: [request.get("x-account"), request.params.id],
  });
  const { id, account_id: _account, ...attributes } = rows[0] as { id: string; account_id: string };
  response.setHeader("Content-Type", "application/vnd.api+json");
  response.end(JSON.stringify({ data: { id, type: "shipment", attributes } }));
});
app.listen(Number(process.env.PORT), "127.0.0.1");
