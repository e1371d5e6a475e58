import type { Client, MappedShipment } from "@svc/sdk";
import type { Request } from "express";
import type { ApiCaller } from "../access/api-clients.ts";
import { definedFieldTexts, editedDefined } from "../custom-fields/defined-field-inputs.ts";
import { type DefinedField, readDefinedFields } from "../custom-fields/read-defined-fields.ts";
import { fieldParts, toFieldChanges } from "../custom-fields/write-defined-fields.ts";
import { findOrCreateCustomer, readCustomerNames } from "../customers/customer-names.ts";
import { isChangedMeanwhile, problemsOfEdit, writeParts } from "../forms/edit-parts.ts";
import { hasProblems, type Problems } from "../forms/field.ts";
import { conflictProblem, mergeEdit, saveOverChanges, splitLines, type Texts } from "../forms/merge-edit.ts";
import { findWithEntityTag } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { messagePage } from "../pages/message-page.ts";
import type { Services } from "../services.ts";
import { readList } from "../tracking-requests/request-fields.ts";
import { editPage } from "./edit-page.ts";
import { readStopTimes, stopTracking, undoStop } from "./undo-stop.ts";

const fields = [
  { name: "references", label: "References", isList: true },
  { name: "tags", label: "Tags", isList: true },
  { name: "customer", label: "Customer" },
  { name: "note", label: "Note" },
];

const toTexts = (
  { refNumbers, tags, customerName, note }: MappedShipment,
  definedFields: readonly DefinedField[],
): Texts =>
  new Map([
    ...Object.entries({
      references: refNumbers.join("\n"),
      tags: tags.join("\n"),
      customer: customerName ?? "",
      note: note ?? "",
    }),
    ...definedFieldTexts(definedFields),
  ]);

/** Tags separated by commas or lines. One that the shipment has may contain commas. */
const readTags = (text: string, present: readonly string[]): string[] => [
  ...new Set(splitLines(text).flatMap((line) => (present.includes(line) ? [line] : readList(line)))),
];

/** Returns the edit of the shipment: only fields that differ, so that the others stay as they are. */
async function toEdit(api: Client, shipment: MappedShipment, changed: ReadonlySet<string>, texts: Texts) {
  const textAt = (name: string) => texts.get(name) ?? "";
  const customer = textAt("customer");
  return {
    ...(changed.has("references") && { refNumbers: splitLines(textAt("references")) }),
    ...(changed.has("tags") && { tags: readTags(textAt("tags"), shipment.tags) }),
    ...(changed.has("note") && { note: textAt("note") || null }),
    ...(changed.has("customer") && { customerId: customer === "" ? null : await findOrCreateCustomer(api, customer) }),
  };
}

async function find(api: Client, request: Request) {
  const { read: shipment, entityTag } = await findWithEntityTag("shipment", request.params.id, (id, options) =>
    api.shipments.get(id, { format: "mapped", include: [], ...options }),
  );
  return { shipment, entityTag };
}

/** `GET` and `POST /shipments/{id}/edit`, `POST /shipments/{id}/tracking`. All throw `TrackingError` `not_found`. */
export function editHandlers({ sendsMail, members }: Pick<Services, "sendsMail" | "members">) {
  const read = async (api: Client, request: Request) => {
    const { shipment, entityTag } = await find(api, request);
    const definedFields = await readDefinedFields(api, "shipments", shipment.id);
    return { shipment, entityTag, definedFields, present: toTexts(shipment, definedFields) };
  };

  /** Reads the suggestions of the fields. */
  const readChoices = async ({ api, accountId }: ApiCaller) => {
    const [customerNames, emails] = await Promise.all([
      readCustomerNames(api),
      sendsMail ? members.list(accountId) : [],
    ]);
    return { customerNames, members: emails };
  };

  const show: PageHandler = async (request, response, caller) => {
    const [record, choices] = await Promise.all([read(caller.api, request), readChoices(caller)]);
    const pageOptions = { ...record, ...choices, caller, sendsMail };
    sendPage(response, 200, editPage({ ...pageOptions, texts: record.present, problems: {} }));
  };

  const save: FormHandler = (request, response, caller, values) => {
    const saved = new Set<string>();
    return saveOverChanges(async () => {
      const { api } = caller;
      const record = await read(api, request);
      const { shipment, entityTag, definedFields, present } = record;
      const { texts, changed, conflicts } = mergeEdit([...fields, ...editedDefined(definedFields)], values, present);
      const show = async (status: number, problems: Problems) => {
        const pageOptions = { ...record, ...(await readChoices(caller)), caller, sendsMail };
        sendPage(response, status, editPage({ ...pageOptions, texts, problems }));
      };
      if (conflicts.length > 0) return show(412, { "": conflictProblem("shipment", conflicts, saved) });
      const { changes, problems } = toFieldChanges(definedFields, texts);
      if (hasProblems(problems)) return show(422, problems);
      const ofShipment = {
        labels: fields.filter(({ name }) => changed.has(name)).map(({ label }) => label),
        write: async () =>
          api.shipments.update(shipment.id, await toEdit(api, shipment, changed, texts), { ifMatch: entityTag }),
      };
      const parts = [ofShipment, ...fieldParts(api, "shipments", shipment.id, changes)];
      try {
        await writeParts(parts, saved);
        response.redirect(303, `/shipments/${shipment.id}${changed.has("note") ? "?done=note" : ""}`);
      } catch (error) {
        if (isChangedMeanwhile(error)) throw error;
        await show(422, problemsOfEdit(error, parts, saved));
      }
    });
  };

  const setTracking: FormHandler = async (request, response, caller, values) => {
    const { id } = (await find(caller.api, request)).shipment;
    const { api } = caller;
    const path = `/shipments/${id}`;
    const action = values.text("action");
    if (action === "stop") {
      const at = await stopTracking(api, id);
      return response.redirect(303, at === null ? path : `${path}?${new URLSearchParams({ stopped: at })}`);
    }
    const times = action === "undo" ? readStopTimes(values) : null;
    const problem = times && (await undoStop(api, id, times));
    if (problem) {
      const title = "Tracking was not resumed";
      return sendPage(response, 422, messagePage({ title, text: problem, caller }));
    }
    if (times === null) await api.shipments.resumeTracking(id);
    response.redirect(303, path);
  };

  return { show, save, setTracking };
}
