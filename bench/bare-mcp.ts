/**
 * The baseline: a bare Express handler that reads a JSON-RPC message, makes the same reads of the same API in memory
 * and sends them as a tool's result; without hosts, origins, tokens, limits, revisions, schemas, cleaning, text, log
 * or metrics. Started by the benchmark with PORT.
 */
import express from "express";
import { containerReads } from "./mcp-memory-api.ts";

const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.get("/readyz", (_request, response) => void response.json({}));
app.post("/mcp", express.json(), async (request, response) => {
  const { id } = request.body as { id: number };
  const read = async (address: string): Promise<unknown> => (await fetch(address)).json();
  const structuredContent = await Promise.all(containerReads.map(read));
  response.json({ jsonrpc: "2.0", id, result: { content: [], structuredContent } });
});
app.listen(Number(process.env.PORT), "127.0.0.1");
