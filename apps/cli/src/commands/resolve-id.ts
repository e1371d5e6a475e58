import { isUuid } from "@svc/domain/identifiers";
import { CliError, exitCodes } from "../errors/cli-error.ts";
import { plainText } from "../output/plain-text.ts";
import type { Session } from "../session.ts";

/** Resolves a number to an id: a shipment also by one of its containers. The API's best match counts. */
export async function resolveId(session: Session, collection: string, text: string): Promise<string> {
  if ((collection !== "shipments" && collection !== "containers") || isUuid(text)) return text;
  const found = await session.client.search(text, { format: "mapped", signal: session.call.signal });
  const requestedNumber = text.replace(/\s/g, "").toUpperCase();
  const exact = found.filter(({ number }) => number.toUpperCase().endsWith(requestedNumber));
  const matches = exact.length > 0 ? exact : found;
  const match =
    collection === "shipments"
      ? matches.find(({ shipmentId }) => shipmentId !== null)
      : matches.find(({ entityType }) => entityType === "cargo");
  const id = collection === "shipments" ? match?.shipmentId : match?.id;
  if (id) return id;
  const what = collection === "shipments" ? "shipment" : "container";
  throw new CliError(
    exitCodes.notFound,
    `No ${what} with the number ${plainText(text)}; \`svc search\` shows similar ones, \`svc track\` begins to track it.`,
  );
}
