import type { ServiceProcess } from "@svc/testkit";
import { compare } from "../compare.ts";
import type { Measurement } from "../rounds.ts";
import { measureDepth } from "./depth.ts";
import { drawShipment, readAny, startLargeApi } from "./large-requests.ts";
import { onLargeDatabase } from "./large-run.ts";
import type { LoadAccount } from "./load-accounts.ts";

async function compareRequests(
  servers: Readonly<Record<"ours" | "bare" | "express", ServiceProcess>>,
  accounts: readonly LoadAccount[],
): Promise<Measurement[]> {
  const read = readAny(accounts);
  const list = () => ({
    path: "/v2/shipments?filter%5Bstatus%5D=in_transit&include=containers",
    headers: drawShipment(accounts).headers,
  });
  let edits = 0;
  const edit = () => {
    const body = JSON.stringify({ data: { attributes: { ref_numbers: [`EDIT-${++edits}`] } } });
    return { ...drawShipment(accounts), body };
  };
  const againstExpress = { ours: servers.ours, bare: servers.express };
  const headers = { "content-type": "application/json" };
  return [
    ...(await compare("GET /shipments/{id}", servers, { nextRequest: read })),
    ...(await compare("GET /shipments/{id}, against Express and one table", againstExpress, { nextRequest: read })),
    ...(await compare("GET /shipments?filter[status]&include=containers", servers, { nextRequest: list })),
    ...(await compare("PATCH /shipments/{id}", servers, { method: "PATCH", headers, nextRequest: edit })),
  ];
}

/** Measures the API's promises at the size of large installations, over one seeded database, in one run. */
export function benchmarkLargeApi(redisUrl: string | undefined): Promise<Measurement[]> {
  return onLargeDatabase(async (run) => {
    const { accounts, start } = run;
    const ours = await startLargeApi(run, redisUrl);
    const bare = await start("bench/bare-api.ts");
    const express = await start("bench/express-pg.ts");
    const comparisons = await compareRequests({ ours, bare, express }, accounts.all);
    return [...comparisons, await measureDepth(ours.url, accounts.large.token)];
  });
}
