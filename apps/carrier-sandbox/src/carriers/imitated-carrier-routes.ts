import { facilitiesOf, sandboxConnection } from "@svc/carriers/catalogue";
import express, { Router } from "express";
import { z } from "zod";
import { acceptedCredentials } from "./accepted-credentials.ts";
import { CarrierFault } from "./carrier-faults.ts";
import type { ImitatedCarrier } from "./imitated-carrier.ts";

const FaultBody = z.strictObject({ fault: CarrierFault });

/**
 * One shipment by each of its numbers, in the form that is printed. Its voyage begins with the first request. Null: a
 * terminal operator, which has the containers of the shipping lines.
 */
function sampleNumbers({ entry, numbers }: ImitatedCarrier) {
  if (entry.kind === "terminal_operator") return null;
  return {
    billOfLading: `${entry.billOfLadingPrefixes[0] ?? entry.scac}DIR000123`,
    booking: "DIRB000123",
    container: numbers.ofCarrier("SBXU0004924"),
  };
}

function toCarrierRecord(sandbox: ImitatedCarrier, origin: string) {
  const { scac, name, credentials } = sandbox.entry;
  return {
    scac,
    name,
    numbers: sampleNumbers(sandbox),
    ports: facilitiesOf(sandbox.entry).flatMap(({ locodes }) => locodes),
    connection: sandboxConnection(sandbox.entry, `${origin}/${scac.toLowerCase()}`),
    credentials: credentials.map((choice) => ({ choice: choice.label, fields: acceptedCredentials(scac, choice) })),
  };
}

function asText(carrier: ReturnType<typeof toCarrierRecord>): string {
  const choices = carrier.credentials.map(({ choice, fields }) => {
    const values = fields.map(({ label, value }) => `    ${label}: ${value.includes("\n") ? `\n${value}` : value}`);
    return [`  ${choice}`, ...values].join("\n");
  });
  const numbers =
    carrier.numbers === null
      ? `  Reports the containers of the carriers at ${carrier.ports.join(", ")}`
      : `  Track bill of lading ${carrier.numbers.billOfLading}, booking ${carrier.numbers.booking} or container ${carrier.numbers.container}`;
  return [`${carrier.name} (${carrier.scac})`, numbers, ...choices].join("\n");
}

/** `/lines`: the imitated carriers below their own paths, and a page with their credentials. */
export function imitatedCarrierRoutes(carriers: readonly ImitatedCarrier[]): Router {
  const router = Router();
  router.get("/", (request, response) => {
    const origin = `${request.protocol}://${request.get("host") ?? "localhost"}${request.baseUrl}`;
    const carrierRecords = carriers.map((carrier) => toCarrierRecord(carrier, origin));
    response.format({
      text: () => response.send(`${carrierRecords.map(asText).join("\n\n")}\n`),
      json: () => response.json({ lines: carrierRecords }),
    });
  });
  router.put("/:scac/_fault", express.json({ limit: "1kb" }), (request, response) => {
    const carrier = carriers.find(({ entry }) => entry.scac === String(request.params.scac).toUpperCase());
    const body = FaultBody.safeParse(request.body);
    if (carrier === undefined) response.status(404).json({ errors: ["There is no such carrier."] });
    else if (!body.success)
      response.status(400).json({ errors: [`fault must be one of ${CarrierFault.options.join(", ")}.`] });
    else {
      carrier.fault = body.data.fault;
      response.json({ fault: carrier.fault });
    }
  });
  for (const { entry, router: ofCarrier } of carriers) router.use(`/${entry.scac.toLowerCase()}`, ofCarrier);
  return router;
}
