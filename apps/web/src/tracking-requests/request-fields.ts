import { toDomainName } from "@svc/jsonapi";
import { ApiError, type ApiFault, RateLimitError, SvcError } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { customerHint, customerInput } from "../customers/customer-names.ts";
import { option } from "../forms/choices.ts";
import { labelled, marks, type Problems } from "../forms/field.ts";
import type { CarrierChoice, CarrierMenu } from "./carrier-menu.ts";
import { requestTypeLabels } from "./request-labels.ts";

/** Labels by attribute name of the domain. */
const fieldByAttribute: Readonly<Record<string, string>> = {
  requestNumber: "number",
  requestType: "type",
  scac: "carrier",
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

function typeOptions(chosen: string): Html[] {
  const all = [["auto", "Detect automatically"], ...Object.entries(requestTypeLabels)] as const;
  return all.map(([value, label]) => option(value, label, chosen));
}

/** `none`: label of the choice of no carrier. */
export function carrierOptions(
  { lines, unconnected }: CarrierMenu,
  chosen: string,
  none = "Detect automatically",
): Html[] {
  const group = (label: string, choices: readonly CarrierChoice[]) =>
    choices.length > 0 &&
    html`<optgroup label="${label}">
      ${choices.map(({ scac, name }) => option(scac, `${name} (${scac})`, chosen))}</optgroup>`;
  const isOffered = chosen === "" || lines.some(({ scac }) => scac === chosen);
  return [
    option("", none, chosen),
    ...(isOffered ? [] : [option(chosen, chosen, chosen)]),
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

interface FieldOptions {
  readonly form: { readonly type: string; readonly tags: string; readonly customer: string };
  readonly problems: Problems;
}

/** Fields of the carrier and of the type of the number. `carrierLabel`, `lines`: label and options of the carrier. */
export const carrierAndType = ({
  form,
  problems,
  carrierLabel,
  lines,
}: FieldOptions & { readonly carrierLabel: string; readonly lines: readonly Html[] }): Html => html`
  ${labelled({
    name: "carrier",
    label: carrierLabel,
    problems,
    control: html`<select id="carrier" name="carrier"${marks(problems, "carrier")}>${lines}</select>`,
  })}
  ${labelled({
    name: "type",
    label: "Number type",
    problems,
    control: html`<select id="type" name="type"${marks(problems, "type")}>${typeOptions(form.type)}</select>`,
  })}`;

/** Fields of the tags and of the customer. */
export const tagsAndCustomer = ({
  form,
  problems,
  customerNames,
}: FieldOptions & { readonly customerNames: readonly string[] }): Html => html`
  ${labelled({
    name: "tags",
    label: "Tags (optional)",
    problems,
    hint: "Separated by commas.",
    control: html`<input id="tags" name="tags" value="${form.tags}"${marks(problems, "tags", { hasHint: true })}>`,
  })}
  ${labelled({
    name: "customer",
    label: "Customer (optional)",
    problems,
    hint: customerHint,
    control: customerInput(form.customer, customerNames, marks(problems, "customer", { hasHint: true })),
  })}`;

/** References or tags, separated by commas or line breaks. */
export function readList(text: string): string[] {
  return [...new Set(text.split(/[,\n]/).map((part) => part.trim()))].filter((part) => part !== "");
}
