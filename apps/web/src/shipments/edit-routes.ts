import { type Client, PreconditionFailedError } from "@svc/sdk";
import type { Request } from "express";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { found, nullIfNotFound } from "../http/found.ts";
import { sendPage } from "../http/send-page.ts";
import type { FieldProblems } from "../requests/request-fields.ts";
import { problemsOfRefusal } from "../requests/track-routes.ts";
import { editPage } from "./edit-page.ts";

const linesOf = (text: string): string[] =>
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
    const { refNumbers, tags, note } = shipment;
    const filled = { references: refNumbers.join("\n"), tags: tags.join("\n"), note: note ?? "", entityTag };
    sendPage(response, 200, editPage({ caller, shipment, form: filled, problems: {}, sendsMail }));
  });

  form("/shipments/:id/edit", "edit_records", async (request, response, caller, values) => {
    const { shipment, entityTag: present } = await find(caller.api, request);
    const entityTag = values.text("version");
    const [references, tags, note] = [values.exact("references"), values.exact("tags"), values.exact("note")];
    const show = (status: number, problems: FieldProblems, tag: string) => {
      const form = { references, tags, note, entityTag: tag };
      sendPage(response, status, editPage({ caller, shipment, form, problems, sendsMail }));
    };
    try {
      const edit = { refNumbers: linesOf(references), tags: linesOf(tags), note: note.trim() || null };
      await caller.api.shipments.update(shipment.id, edit, { ...(entityTag !== "" && { ifMatch: entityTag }) });
      response.redirect(303, `/shipments/${shipment.id}`);
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) return show(422, problemsOfRefusal(error), entityTag);
      const words = "The shipment has changed in the meantime. What you typed is below: save again to keep it.";
      show(412, { "": [words] }, present);
    }
  });

  form("/shipments/:id/tracking", "track", async (request, response, caller, values) => {
    const { id } = (await find(caller.api, request)).shipment;
    if (values.text("action") === "stop") await caller.api.shipments.stopTracking(id);
    else await caller.api.shipments.resumeTracking(id);
    response.redirect(303, `/shipments/${id}`);
  });
}
