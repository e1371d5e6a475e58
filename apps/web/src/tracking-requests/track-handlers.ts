import { isUuid, looksLikeContainerNumber, normalizeContainerNumber } from "@svc/domain/identifiers";
import { ApiError, type Client, type InferredNumber } from "@svc/sdk";
import { findOrCreateCustomer, readCustomerNames } from "../customers/customer-names.ts";
import type { Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";
import { nullIfNotFound } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { orNull } from "../http/or-null.ts";
import { sendPage } from "../http/send-page.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import type { Services } from "../services.ts";
import { readCarrierMenu } from "./carrier-menu.ts";
import { dismissRequest } from "./failed-requests.ts";
import { detectType, numberProblem } from "./read-numbers.ts";
import { trackCalls } from "./request-calls.ts";
import { nothingTracked, problemsOfRefusal, readList } from "./request-fields.ts";
import { anotherCarrier, emptyTrackForm, type TrackForm, trackPage } from "./track-page.ts";
import { findTrackedContainers, type TrackedShipment } from "./tracked-containers.ts";

const text = (value: unknown): string => (typeof value === "string" ? value.slice(0, 1_000).trim() : "");

const chosenCandidate = (candidate: string): string => (candidate === anotherCarrier ? "" : candidate);

/** A selected candidate takes precedence over the list of all carriers. */
function readForm(form: FormValues): TrackForm {
  return {
    number: form.text("number"),
    type: form.text("type") || "auto",
    carrier: chosenCandidate(form.text("candidate")) || form.text("carrier"),
    references: form.text("references"),
    tags: form.text("tags"),
    customer: form.text("customer"),
    replaces: form.text("replaces"),
    corrects: form.text("corrects"),
  };
}

/** Detects the carriers of the number. Null where the API fails, so that the number can still be tracked. */
async function infer(api: Client, number: string): Promise<InferredNumber | null> {
  if (number === "" || number.length > 100) return null;
  return orNull(api.trackingRequests.inferNumber(number));
}

/** A shipment that is tracked now and has the container of the form. */
async function findTrackedWith(api: Client, { type, number }: TrackForm): Promise<TrackedShipment | null> {
  const containerNumber = normalizeContainerNumber(number);
  if (detectType(type, number) !== "container" || !looksLikeContainerNumber(containerNumber)) return null;
  return (await findTrackedContainers(api, [containerNumber])).get(containerNumber) ?? null;
}

/** Whether a request for the number is pending or has a shipment. False where the API fails. */
async function isTracked(api: Client, requestNumber: string): Promise<boolean> {
  if (requestNumber === "") return false;
  const filter = { requestNumber, status: ["pending", "awaiting_manifest", "created"] };
  const found = await orNull(api.trackingRequests.list({ pageSize: 1, filter }, { include: [] }));
  return (found?.data.length ?? 0) > 0;
}

/** The name of the customer that an address gives by its name or, of a request to retry, by its id. */
async function readCustomerName(api: Client, customer: string): Promise<string> {
  if (!isUuid(customer)) return customer;
  return (await nullIfNotFound(api.parties.get(customer)))?.data.attributes.company_name ?? "";
}

const formPageOptions = (apiBaseUrl: string, filled: TrackForm) => ({
  form: filled,
  commands: sameFromApi(apiBaseUrl, trackCalls(filled)),
});

const showHandler =
  (apiBaseUrl: string): PageHandler =>
  async (request, response, caller) => {
    const { query } = request;
    const filled: TrackForm = {
      number: text(query.number),
      type: text(query.type) || emptyTrackForm.type,
      carrier: chosenCandidate(text(query.candidate)) || text(query.carrier),
      references: text(query.references),
      tags: text(query.tags),
      customer: await readCustomerName(caller.api, text(query.customer)),
      replaces: text(query.replaces),
      corrects: text(query.corrects),
    };
    const [carriers, customerNames, inferred, trackedWith, isDuplicate] = await Promise.all([
      readCarrierMenu(caller.api),
      readCustomerNames(caller.api),
      infer(caller.api, filled.number),
      orNull(findTrackedWith(caller.api, filled)),
      isTracked(caller.api, filled.number),
    ]);
    const found = { carriers, customerNames, inferred, trackedWith };
    const pageOptions = { caller, ...found, problems: {}, isSeparate: false, isDuplicate, isQuestion: false };
    sendPage(response, 200, trackPage({ ...pageOptions, ...formPageOptions(apiBaseUrl, filled) }));
  };

const submitHandler =
  (apiBaseUrl: string): FormHandler =>
  async (_request, response, caller, values) => {
    const filled = readForm(values);
    const [carriers, customerNames] = await Promise.all([readCarrierMenu(caller.api), readCustomerNames(caller.api)]);
    // The confirmation counts for the number that the warning was about, not for one that was typed after it.
    const isSeparate = values.text("separately") === normalizeContainerNumber(filled.number);
    let trackedWith: TrackedShipment | null = null;
    const show = (
      problems: Problems,
      inferred: InferredNumber | null,
      { isDuplicate = false, isQuestion = false } = {},
    ) => {
      const found = { carriers, customerNames, inferred, trackedWith, isSeparate };
      const pageOptions = { caller, ...found, problems, isDuplicate, isQuestion };
      sendPage(response, 422, trackPage({ ...pageOptions, ...formPageOptions(apiBaseUrl, filled) }));
    };
    if (filled.number === "") return show({ number: "Enter a number." }, null);
    const problem = numberProblem(filled.number);
    if (problem !== null) return show({ number: problem }, null);
    const inferred = filled.carrier === "" ? await infer(caller.api, filled.number) : null;
    try {
      trackedWith = await findTrackedWith(caller.api, filled);
    } catch (error) {
      return show(problemsOfRefusal(error, nothingTracked), inferred);
    }
    const detected = inferred?.data.attributes.shipping_line;
    const wasPrompted = values.all("candidate").length > 0;
    // The first submission shows the candidates. A second one has a choice among them: the likeliest carrier, or else
    // another one, is chosen already.
    if (detected?.decision === "needs_confirmation" && !wasPrompted) {
      return show({}, inferred, { isQuestion: true });
    }
    const isOther = filled.carrier === "" && values.text("candidate") === anotherCarrier;
    if (isOther) return show({ carrier: "Choose the carrier." }, inferred);
    if (trackedWith !== null && !isSeparate) return show({}, inferred);
    const scac = filled.carrier || (detected?.decision === "auto_select" ? detected.selected?.scac : undefined);
    try {
      const { data } = await caller.api.trackingRequests.create({
        requestType: detectType(filled.type, filled.number),
        requestNumber: filled.number,
        ...(scac ? { scac } : { autoDetectScac: true }),
        refNumbers: readList(filled.references),
        shipmentTags: readList(filled.tags),
        ...(filled.customer !== "" && { customerId: await findOrCreateCustomer(caller.api, filled.customer) }),
      });
      // The request is stored, whatever becomes of the one that it replaces.
      if (isUuid(filled.replaces)) await orNull(dismissRequest(caller.api, filled.replaces));
      response.redirect(303, `/tracking-requests?created=${data.id}`);
    } catch (error) {
      const isDuplicate = error instanceof ApiError && error.hasCode("duplicate");
      show(problemsOfRefusal(error, nothingTracked), inferred, { isDuplicate });
    }
  };

/** `GET` and `POST /track`. */
export const trackHandlers = ({ apiBaseUrl }: Pick<Services, "apiBaseUrl">) => ({
  show: showHandler(apiBaseUrl),
  submit: submitHandler(apiBaseUrl),
});
