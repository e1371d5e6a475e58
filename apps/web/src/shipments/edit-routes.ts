import { type Client, PreconditionFailedError } from "@svc/sdk";
import type { Request } from "express";
import {
  changesOfEntered,
  enteredOf,
  readDefinedFields,
  readEntered,
  writeChanges,
} from "../custom-fields/defined-fields.ts";
import { customerOfName, readCustomerNames } from "../customers/customer-names.ts";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { found, nullIfNotFound } from "../http/found.ts";
import { sendPage } from "../http/send-page.ts";
import type { FieldProblems } from "../requests/request-fields.ts";
import { problemsOfRefusal } from "../requests/track-routes.ts";
import { editPage } from "./edit-page.ts";

export const linesOf = (text: string): string[] =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The shipment and the ETag of the same response, so that saving overwrites no later version. */
async function readShipment(api: Client, id: string) {
  let entityTag = "";
  const shipment = await api.shipments.get(id, {
    format: "mapped",
    include: [],
    onResponse: ({ headers }) => {
      entityTag = headers.get("etag") ?? "";
    },
  });
  return { shipment, entityTag };
}

/** `GET` and `POST /shipments/{id}/edit`, `POST /shipments/{id}/tracking`. All throw `TrackingError` `not_found`. */
export function addEditRoutes({ page, form }: DashboardRoutes, { sendsMail }: { readonly sendsMail: boolean }): void {
  const find = (api: Client, request: Request) =>
    found("shipment", request.params.id, (id) => nullIfNotFound(readShipment(api, id)));

  page("/shipments/:id/edit", "edit_records", async (request, response, caller) => {
    const { shipment, entityTag } = await find(caller.api, request);
    const [customerNames, definedFields] = await Promise.all([
      readCustomerNames(caller.api),
      readDefinedFields(caller.api, "shipments", shipment.id),
    ]);
    const { refNumbers, tags, note, customerName } = shipment;
    const filled = {
      ...{ references: refNumbers.join("\n"), tags: tags.join("\n"), note: note ?? "", entityTag },
      ...{ customer: customerName ?? "", custom: enteredOf(definedFields) },
    };
    const shown = { caller, shipment, customerNames, definedFields, sendsMail };
    sendPage(response, 200, editPage({ ...shown, form: filled, problems: {} }));
  });

  form("/shipments/:id/edit", "edit_records", async (request, response, caller, values) => {
    const { api } = caller;
    const { shipment, entityTag: present } = await find(api, request);
    const definedFields = await readDefinedFields(api, "shipments", shipment.id);
    const filled = {
      ...{ references: values.exact("references"), tags: values.exact("tags"), note: values.exact("note") },
      ...{ customer: values.text("customer"), custom: readEntered(definedFields, values) },
    };
    const entityTag = values.text("version");
    const show = async (status: number, problems: FieldProblems, tag: string) => {
      const shown = { caller, shipment, customerNames: await readCustomerNames(api), definedFields, sendsMail };
      sendPage(response, status, editPage({ ...shown, form: { ...filled, entityTag: tag }, problems }));
    };
    const { changes, problems } = changesOfEntered(definedFields, filled.custom);
    if (Object.keys(problems).length > 0) return show(422, problems, entityTag);
    try {
      const { references, tags, note, customer } = filled;
      const edit = {
        ...{ refNumbers: linesOf(references), tags: linesOf(tags), note: note.trim() || null },
        ...(customer !== (shipment.customerName ?? "") && {
          customerId: customer === "" ? null : await customerOfName(api, customer),
        }),
      };
      await api.shipments.update(shipment.id, edit, { ...(entityTag !== "" && { ifMatch: entityTag }) });
      await writeChanges(api, "shipments", shipment.id, { changes });
      response.redirect(303, `/shipments/${shipment.id}`);
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) return show(422, problemsOfRefusal(error), entityTag);
      const words = "The shipment has changed in the meantime. What you typed is below: save again to keep it.";
      await show(412, { "": [words] }, present);
    }
  });

  form("/shipments/:id/tracking", "track", async (request, response, caller, values) => {
    const { id } = (await find(caller.api, request)).shipment;
    if (values.text("action") === "stop") await caller.api.shipments.stopTracking(id);
    else await caller.api.shipments.resumeTracking(id);
    response.redirect(303, `/shipments/${id}`);
  });
}
