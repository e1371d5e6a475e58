import { randomBytes, randomInt } from "node:crypto";
import type { ServiceProcess } from "@svc/testkit";
import type { LoadRequest } from "../load.ts";
import type { LargeRun } from "./large-run.ts";
import type { LoadAccount } from "./load-accounts.ts";

/** The API over the large database, without a limit of requests. */
export const startLargeApi = ({ start }: LargeRun, redisUrl: string | undefined): Promise<ServiceProcess> =>
  start("apps/api/dist/main.js", {
    SVC_SECRET_KEY: randomBytes(32).toString("base64"),
    SVC_RATE_LIMIT_DEFAULT: "1000000000",
    ...(redisUrl && { REDIS_URL: redisUrl }),
  });

/** One of the accounts and one of its shipments, drawn at random. */
export function drawShipment(accounts: readonly LoadAccount[]) {
  const account = accounts[randomInt(accounts.length)] as LoadAccount;
  const headers = { authorization: `Token ${account.token}`, "x-account": account.id };
  return { headers, path: `/v2/shipments/${account.shipmentIds[randomInt(account.shipmentIds.length)] ?? ""}` };
}

/** Requests, each of which reads a shipment of any of the accounts. */
export const readAny =
  (accounts: readonly LoadAccount[]): (() => LoadRequest) =>
  () =>
    drawShipment(accounts);
