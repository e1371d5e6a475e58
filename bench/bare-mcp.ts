/**
 * The baseline: a bare Express handler that reads a JSON-RPC message, asks the same API in memory and sends what it
 * says as a tool's result; without hosts, origins, tokens, limits, revisions, schemas, cleaning, text, log or metrics.
 * Started by the benchmark with PORT.
 */
import "./mcp-memory-api.ts";
import express from "express";

const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.get("/readyz", (_request, response) => void response.json({}));
app.post("/mcp", express.json(), async (request, response) => {
  const { id, params } = request.body as { id: number; params: { arguments: { id: string } } };
  const answer = await fetch(`http://api.test/v2/containers/${params.arguments.id}`);
  response.json({ jsonrpc: "2.0", id, result: { content: [], structuredContent: await answer.json() } });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
