import type { CompleteRequestParams, CompleteResult } from "@modelcontextprotocol/server";
import type { Caller } from "../api/caller.ts";
import { invalidParams } from "../protocol/protocol-error.ts";
import { containerTemplate } from "../resources/container-resource.ts";
import { shipmentTemplate } from "../resources/shipment-resource.ts";
import { completeContainerId, shipmentNumber } from "./arguments.ts";
import { promptNamed } from "./catalogue.ts";
import type { Complete } from "./define-prompt.ts";

/** Maximum number of values: more than a person looks through. */
const valuesMax = 20;

function findCompleter({ ref, argument }: CompleteRequestParams): Complete {
  if (ref.type === "ref/prompt") {
    const found = promptNamed(ref.name).arguments.find((candidate) => candidate.name === argument.name);
    if (found) return found.complete;
  } else if (ref.uri === containerTemplate.uriTemplate) {
    if (argument.name === "id") return completeContainerId;
  } else if (ref.uri === shipmentTemplate.uriTemplate) {
    if (argument.name === shipmentNumber.name) return shipmentNumber.complete;
  } else {
    const available = [containerTemplate, shipmentTemplate].map(({ uriTemplate }) => uriTemplate).join(", ");
    throw invalidParams(`Unknown resource template. Available: ${available}`);
  }
  throw invalidParams(`Unknown argument: ${argument.name.slice(0, 64)}`);
}

/** Values of the caller's own account only: those that begin with what was typed first. */
export async function complete(params: CompleteRequestParams, caller: Caller): Promise<CompleteResult> {
  const input = params.argument.value.slice(0, 64);
  const completed = await findCompleter(params)(input, caller);
  const found = [...new Set(completed.values)];
  const begins = (value: string) => value.toLowerCase().startsWith(input.trim().toLowerCase());
  const ordered = [...found.filter(begins), ...found.filter((value) => !begins(value))];
  const values = ordered.slice(0, valuesMax);
  const hasMore = !completed.isComplete || values.length < ordered.length;
  return { completion: { values, ...(completed.isComplete && { total: ordered.length }), hasMore } };
}
