import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CarrierConnectionList, type CarrierReply, createCarriers, type FoundReply } from "@svc/carriers";
import { type CatalogueEntry, sandboxConnection } from "@svc/carriers/catalogue";
import { createPlaceNames } from "@svc/domain/reference-data";
import express from "express";
import { acceptedCredentials } from "../carriers/accepted-credentials.ts";
import { type ImitatedCarrier, imitateCarriers } from "../carriers/imitated-carrier.ts";
import { places } from "../world/places.ts";

export type Choice = CatalogueEntry["credentials"][number];

export const epoch = Date.parse("2026-05-01T00:00:00Z");

const locodeOf = createPlaceNames(Object.values(places).map(({ locode, name }) => ({ locode, name, city: null })));
export const zones: ReadonlyMap<string, string> = new Map(
  Object.values(places).map(({ locode, timeZone }) => [locode, timeZone]),
);
export const placeLookup = { timeZoneOf: (locode: string) => zones.get(locode) ?? null, locodeOf };

/** The members of the credentials, as an account stores them, with one value replaced. */
function credentialsFor(scac: string, choice: Choice, wrongField?: string): Record<string, unknown> {
  const headers: Record<string, string> = {};
  const own: Record<string, unknown> = { kind: choice.kind };
  for (const { field, value } of acceptedCredentials(scac, choice)) {
    const credential = field === wrongField ? `wrong-${field}` : value;
    if (field.startsWith("headers.")) headers[field.slice(8)] = credential;
    else own[field] = credential;
  }
  return Object.keys(headers).length > 0 ? { ...own, headers } : own;
}

/** The reply of a number that must be found. */
export async function found(reply: Promise<CarrierReply>): Promise<FoundReply> {
  const settled = await reply;
  if (settled.outcome !== "found") throw new Error(JSON.stringify({ ...settled, body: undefined }));
  return settled;
}

/** Every imitated carrier behind HTTP, on a clock that the test sets. */
export async function startImitatedCarriers() {
  const folder = mkdtempSync(join(tmpdir(), "imitated-carriers-"));
  const closers: (() => Promise<unknown>)[] = [];
  const clock = { now: epoch };
  const carriers = new Map<string, ImitatedCarrier>();
  const app = express();
  for (const carrier of imitateCarriers({ folder, now: () => clock.now, stopping: new AbortController().signal })) {
    carriers.set(carrier.entry.scac, carrier);
    app.use(`/${carrier.entry.scac.toLowerCase()}`, carrier.router);
  }
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    clock,
    carrierOf({ scac }: Pick<CatalogueEntry, "scac">): ImitatedCarrier {
      const carrier = carriers.get(scac);
      if (carrier === undefined) throw new Error(`${scac} has no imitation.`);
      return carrier;
    },
    /** The carrier's client with these credentials, made from its entry as the tracking worker makes it. */
    connect(entry: CatalogueEntry, choice: Choice, options: { wrongField?: string; timeoutMs?: number } = {}) {
      const { wrongField, ...members } = options;
      const settings = {
        ...sandboxConnection(entry, `${origin}/${entry.scac.toLowerCase()}`),
        ...members,
        ownCredentialsOnly: false,
        credentials: credentialsFor(entry.scac, choice, wrongField),
      };
      const [connection] = CarrierConnectionList.parse(JSON.stringify([settings]));
      if (connection === undefined) throw new Error(`${entry.scac} cannot be connected.`);
      const offered = createCarriers([connection], placeLookup).get(entry.scac);
      if (!offered?.shared) throw new Error(`${entry.scac} is not offered.`);
      closers.push(() => offered.close());
      const carrier = offered.shared;
      const track = async (
        kind: "bill_of_lading" | "booking_number" | "container",
        number: string,
        where?: readonly string[],
        transportDocument?: string,
      ): Promise<CarrierReply> => {
        const query = {
          kind,
          number,
          ...(where && { places: where }),
          ...(transportDocument && { transportDocument }),
        };
        const result = await carrier.track(query, new AbortController().signal);
        return result.outcome === "unchanged" ? result.read() : result;
      };
      return { connection, track };
    },
    /** Closes the clients, and ends faults and limits. */
    async reset() {
      await Promise.all(closers.splice(0).map((close) => close()));
      for (const carrier of carriers.values()) {
        carrier.fault = "none";
        carrier.access.lifeSeconds = null;
        carrier.limits.clear();
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const carrier of carriers.values()) carrier.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type ImitatedCarriersHarness = Awaited<ReturnType<typeof startImitatedCarriers>>;
