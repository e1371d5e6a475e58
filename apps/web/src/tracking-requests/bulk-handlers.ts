import { randomUUID } from "node:crypto";
import { isValidContainerNumber, looksLikeContainerNumber, normalizeContainerNumber } from "@svc/domain/identifiers";
import type { ApiFault, BulkResult, Client } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import type { Response } from "express";
import type { SignedInCaller } from "../access/api-clients.ts";
import { findCustomer, findOrCreateCustomer, readCustomerNames, unknownCustomer } from "../customers/customer-names.ts";
import type { Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { type BulkForm, type BulkPageOptions, type BulkRow, bulkPage, emptyBulkForm } from "./bulk-page.ts";
import { type CarrierMenu, readCarrierMenu } from "./carrier-menu.ts";
import { ignoredColumns } from "./columns-note.ts";
import { problemLink } from "./connection-problems.ts";
import {
  detectType,
  type ListedNumber,
  numberProblem,
  numbersMax,
  readColumns,
  readNumbers,
  selectTableRows,
  toTrackingRequest,
  writtenNumbers,
} from "./read-numbers.ts";
import { faultText, nothingTracked, problemsOfRefusal, readList } from "./request-fields.ts";
import { requestedAs } from "./request-labels.ts";
import { alreadyTrackedWith, findTrackedContainers, type TrackedShipment } from "./tracked-containers.ts";

/** Problems found before the API is called. */
function validateNumbers(field: string, numbers: readonly ListedNumber[] | string): Problems | null {
  if (typeof numbers === "string") return { [field]: numbers };
  if (numbers.every((one) => rowRefusal(one) !== null)) return { numbers: "Enter at least one number." };
  if (numbers.length > numbersMax) {
    return { [field]: `${numbers.length} numbers are too many at once: ${numbersMax} at most.` };
  }
  return null;
}

/** Why a row is refused before the API is called. */
function rowRefusal({ number }: ListedNumber): string | null {
  if (number === "") return "This row has no number.";
  return numberProblem(number);
}

/** Why the API refused a row. */
const faultRefusal = ({ number }: ListedNumber, fault: Pick<ApiFault, "code" | "detail">): Html | string =>
  fault.code === "duplicate"
    ? html`${faultText(fault)} <a href="/shipments/find?q=${encodeURIComponent(number.toWellFormed())}">Show</a>`
    : faultText(fault);

/** Containers with a wrong check digit exist, so it is no refusal. `carrier`: of rows that name none. */
function rowWarning(
  listed: ListedNumber,
  carrier: string,
  carriers: CarrierMenu,
  caller: SignedInCaller,
): BulkRow["warning"] {
  const compact = normalizeContainerNumber(listed.number);
  if (looksLikeContainerNumber(compact) && !isValidContainerNumber(compact)) {
    return "Its check digit is wrong: compare it with the document.";
  }
  const scac = withScac(listed, carriers).carrier || carrier;
  if (!carriers.unconnected.has(scac)) return null;
  return html`It waits: the carrier ${scac} is not connected. ${problemLink("not_connected", scac, caller)}`;
}

const containerOf = ({ number }: ListedNumber): string => normalizeContainerNumber(number);

const nameKey = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Replaces the name of a carrier by its SCAC. */
function withScac(listed: ListedNumber, { lines }: CarrierMenu): ListedNumber {
  const key = nameKey(listed.carrier);
  const found = lines.find(({ name, shortName }) => nameKey(name) === key || nameKey(shortName) === key);
  return found ? { ...listed, carrier: found.scac } : listed;
}

/** The customers that rows name, by that name; null: there is none of the name, and it is not to be created. */
async function findCustomers(
  api: Client,
  rows: readonly ListedNumber[],
  { creates }: { readonly creates: boolean },
): Promise<ReadonlyMap<string, string | null>> {
  const find = creates ? findOrCreateCustomer : findCustomer;
  const found = new Map<string, string | null>();
  for (const { customer } of rows) {
    if (customer !== "" && !found.has(customer)) found.set(customer, await find(api, customer));
  }
  return found;
}

const nothingSent: Pick<BulkResult, "meta"> = { meta: { created: 0, refused: 0, outcomes: [] } };

type BulkPageState = Pick<
  BulkPageOptions,
  "form" | "problems" | "columns" | "outcomes" | "unknownCustomers" | "trackedContainers"
>;

const blank: BulkPageState = {
  form: emptyBulkForm,
  problems: {},
  columns: null,
  outcomes: null,
  unknownCustomers: [],
  trackedContainers: [],
};

const readForm = (values: FormValues): BulkForm => ({
  numbers: values.exact("numbers"),
  type: values.text("type") || "auto",
  carrier: values.text("carrier"),
  tags: values.text("tags"),
  customer: values.text("customer"),
  unused: values.text("unused"),
});

/** Reads what decides which rows are sent. `customers`: null for a name that is not to be created. */
async function readRows(api: Client, numbers: readonly ListedNumber[], filled: BulkForm, values: FormValues) {
  const creates = values.text("createCustomers") === "yes";
  const separate = new Set(values.text("separately").split(" "));
  const isContainer = (one: ListedNumber): boolean =>
    detectType(filled.type, one.number) === "container" && looksLikeContainerNumber(containerOf(one));
  const [carriers, customers, tracked] = await Promise.all([
    readCarrierMenu(api),
    findCustomers(api, numbers, { creates }),
    findTrackedContainers(api, numbers.filter(isContainer).map(containerOf)),
  ]);
  const invalidity = (one: ListedNumber): string | null =>
    rowRefusal(one) ?? (customers.get(one.customer) === null ? unknownCustomer(one.customer) : null);
  const trackedWith = (one: ListedNumber): TrackedShipment | undefined => {
    const isSeparate = separate.has(containerOf(one));
    return isContainer(one) && invalidity(one) === null && !isSeparate ? tracked.get(containerOf(one)) : undefined;
  };
  const refusalOf = (one: ListedNumber): Html | string | null => {
    const shipment = trackedWith(one);
    return shipment ? alreadyTrackedWith(one.number, shipment) : invalidity(one);
  };
  return { carriers, customers, trackedWith, refusalOf };
}

type Rows = Awaited<ReturnType<typeof readRows>>;

/** Tracks the rows that are not refused; returns the errors of the API by row. */
async function sendRows(
  api: Client,
  numbers: readonly ListedNumber[],
  filled: BulkForm,
  { rows, once }: { readonly rows: Rows; readonly once: string },
) {
  const sent = numbers.filter((one) => rows.refusalOf(one) === null).map((one) => withScac(one, rows.carriers));
  const isForOthers = filled.customer !== "" && sent.some(({ customer }) => customer === "");
  const defaultCustomerId = isForOthers ? await findOrCreateCustomer(api, filled.customer) : undefined;
  const defaults = { type: filled.type, carrier: filled.carrier, tags: readList(filled.tags) };
  const requests = sent.map((one) => {
    const customerId = rows.customers.get(one.customer) ?? defaultCustomerId;
    return { ...toTrackingRequest(one, defaults), ...(customerId !== undefined && { customerId }) };
  });
  // Reloading the page submits the form again and shows the stored response.
  const idempotencyKey = `web-${once || randomUUID()}`;
  const { meta } =
    sent.length === 0 ? nothingSent : await api.trackingRequests.createBulk(requests, { idempotencyKey });
  return { created: meta.created, errors: new Map(sent.map(({ row }, index) => [row, meta.outcomes[index]?.errors])) };
}

/** `GET` and `POST /track/bulk`. */
export function bulkHandlers({ apiBaseUrl }: Pick<Services, "apiBaseUrl">) {
  async function send(response: Response, status: number, caller: SignedInCaller, state: BulkPageState): Promise<void> {
    const [carriers, customerNames] = await Promise.all([readCarrierMenu(caller.api), readCustomerNames(caller.api)]);
    const page = bulkPage({ caller, carriers, customerNames, ...state, onceKey: randomUUID(), apiBaseUrl });
    sendPage(response, status, page);
  }

  const show: PageHandler = async (_request, response, caller) => {
    await send(response, 200, caller, blank);
  };

  const submit: FormHandler = async (_request, response, caller, values) => {
    const filled = readForm(values);
    const show = (status: number, state: Partial<BulkPageState>) =>
      send(response, status, caller, { ...blank, ...state });
    const [field, source] = values.text("file") === "" ? ["numbers", filled.numbers] : ["file", values.exact("file")];
    const numbers = readNumbers(source);
    const problems = validateNumbers(field, numbers);
    if (problems !== null || typeof numbers === "string") return show(422, { form: filled, problems: problems ?? {} });
    const columns = readColumns(source);
    const unused = ignoredColumns(columns);
    if (columns !== null && filled.unused !== unused) {
      return show(422, { form: { ...filled, numbers: source, unused }, columns });
    }
    try {
      const rows = await readRows(caller.api, numbers, filled, values);
      const { customers, trackedWith, refusalOf } = rows;
      const { created, errors } = await sendRows(caller.api, numbers, filled, { rows, once: values.text("once") });
      const outcomes = numbers.map((one) => ({
        row: one.row,
        number: one.number,
        warning: rowWarning(one, filled.carrier, rows.carriers, caller),
        requested: requestedAs(detectType(filled.type, one.number), filled.type),
        refusal: refusalOf(one) ?? errors.get(one.row)?.map((fault) => html`${faultRefusal(one, fault)} `) ?? null,
      }));
      if (columns === null && outcomes.every(({ refusal, warning }) => refusal === null && warning === null)) {
        return response.redirect(303, `/tracking-requests?created=${created}`);
      }
      const refused = new Set(outcomes.flatMap(({ row, refusal }) => (refusal === null ? [] : row)));
      const left = selectTableRows(source, refused) ?? writtenNumbers(numbers.filter(({ row }) => refused.has(row)));
      const unknownCustomers = [...customers].flatMap(([name, id]) => (id === null ? name : []));
      const trackedContainers = numbers.filter((one) => trackedWith(one) !== undefined).map(containerOf);
      const still = { form: { ...filled, numbers: left }, unknownCustomers, trackedContainers };
      await show(200, { ...still, columns, outcomes });
    } catch (error) {
      const form = { ...filled, numbers: source };
      await show(422, { form, problems: problemsOfRefusal(error, nothingTracked) });
    }
  };

  return { show, submit };
}
