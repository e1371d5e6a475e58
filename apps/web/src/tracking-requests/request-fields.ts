import type { RequestType } from "@svc/domain/tracking-requests";
import { toDomainName } from "@svc/jsonapi";
import { ApiError, type ApiFault, RateLimitError, SvcError } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { Problems } from "../forms/field.ts";
import type { CarrierChoice, CarrierMenu } from "./carrier-menu.ts";
import { requestTypeLabels } from "./request-labels.ts";

/** Labels by attribute name of the domain. */
const fieldByAttribute: Readonly<Record<string, string>> = {
  requestNumber: "number",
  requestType: "type",
  scac: "line",
  refNumbers: "references",
  shipmentTags: "tags",
  tags: "tags",
  note: "note",
};

/** An API message with the form's names of the fields. */
export function faultText({ code, detail }: Partial<Pick<ApiFault, "code" | "detail">>): string {
  if (code === "duplicate") return "This number is already tracked.";
  return (detail ?? "The request is not valid.")
    .replace(/\brequest_number\b/g, "The number")
    .replace(/\bscac\b/g, "The shipping line");
}

/** The API's faults by form field. */
function problemsOf(faults: readonly ApiFault[]): Problems {
  const problems: Record<string, string> = {};
  for (const fault of faults) {
    const attribute = /\/attributes\/(\w+)/.exec(fault.pointer ?? "")?.[1] ?? "";
    const field = fieldByAttribute[toDomainName(attribute)] ?? "";
    problems[field] = [problems[field], faultText(fault)].filter(Boolean).join(" ");
  }
  return problems;
}

export const nothingTracked = "Nothing was tracked.";

/** The form problems of an API error; rethrows any other error. `outcome`: what it leaves done, as a sentence. */
export function problemsOfRefusal(error: unknown, outcome: string): Problems {
  if (error instanceof RateLimitError) {
    const seconds = error.retryAfterSeconds ?? 60;
    return { "": `Too many requests. ${outcome} Try again in ${seconds} seconds.` };
  }
  if (error instanceof ApiError && (error.status === 422 || error.status === 400 || error.status === 409))
    return problemsOf(error.faults);
  if (error instanceof SvcError && !(error instanceof ApiError)) {
    return { "": `The API is not available. ${outcome} Try again soon.` };
  }
  throw error;
}

export function typeOptions(chosen: string, more: readonly (readonly [string, string])[] = []): Html[] {
  const all = [...more, ...(Object.entries(requestTypeLabels) as [RequestType, string][])];
  return all.map(
    ([value, label]) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  );
}

/** `none`: label of the choice of no carrier. */
export function lineOptions(
  { lines, unconnected }: CarrierMenu,
  chosen: string,
  none = "Detect automatically",
): Html[] {
  const option = (value: string, label: string) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`;
  const group = (label: string, choices: readonly CarrierChoice[]) =>
    choices.length > 0 &&
    html`<optgroup label="${label}">
      ${choices.map(({ scac, name }) => option(scac, `${name} (${scac})`))}</optgroup>`;
  const isOffered = chosen === "" || lines.some(({ scac }) => scac === chosen);
  return [
    option("", none),
    ...(isOffered ? [] : [option(chosen, chosen)]),
    html`${group(
      "Connected",
      lines.filter(({ scac }) => !unconnected.has(scac)),
    )}
      ${group(
        "Not connected",
        lines.filter(({ scac }) => unconnected.has(scac)),
      )}`,
  ];
}

/** References or tags, separated by commas or line breaks. */
export function readList(text: string): string[] {
  return [...new Set(text.split(/[,\n]/).map((part) => part.trim()))].filter((part) => part !== "");
}
