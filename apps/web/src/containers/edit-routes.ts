import { type Client, PreconditionFailedError } from "@svc/sdk";
import type { Request } from "express";
import {
  changesOfEntered,
  enteredOf,
  readDefinedFields,
  readEntered,
  writeChanges,
} from "../custom-fields/defined-fields.ts";
import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { found, nullIfNotFound } from "../http/found.ts";
import { sendPage } from "../http/send-page.ts";
import type { FieldProblems } from "../requests/request-fields.ts";
import { problemsOfRefusal } from "../requests/track-routes.ts";
import { linesOf } from "../shipments/edit-routes.ts";
import { containerEditPage } from "./edit-page.ts";

/** The container, its fields, and the ETag of the same response, so that saving overwrites no later version. */
async function readContainer(api: Client, id: string) {
  let entityTag = "";
  const onResponse = ({ headers }: { readonly headers: Headers }) => {
    entityTag = headers.get("etag") ?? "";
  };
  const [container, definedFields] = await Promise.all([
    api.containers.get(id, { format: "mapped", include: [], onResponse }),
    readDefinedFields(api, "containers", id),
  ]);
  return { container, definedFields, entityTag };
}

/** `GET` and `POST /containers/{id}/edit`. Both throw `TrackingError` `not_found`. */
export function addContainerEditRoutes({ page, form }: DashboardRoutes): void {
  const find = (api: Client, request: Request) =>
    found("container", request.params.id, (id) => nullIfNotFound(readContainer(api, id)));

  page("/containers/:id/edit", "edit_records", async (request, response, caller) => {
    const { container, definedFields, entityTag } = await find(caller.api, request);
    const filled = { references: container.refNumbers.join("\n"), custom: enteredOf(definedFields), entityTag };
    sendPage(response, 200, containerEditPage({ caller, container, form: filled, problems: {}, definedFields }));
  });

  form("/containers/:id/edit", "edit_records", async (request, response, caller, values) => {
    const { api } = caller;
    const { container, definedFields, entityTag: present } = await find(api, request);
    const entityTag = values.text("version");
    const filled = { references: values.exact("references"), custom: readEntered(definedFields, values) };
    const show = (status: number, problems: FieldProblems, tag: string) => {
      const shown = { caller, container, definedFields, form: { ...filled, entityTag: tag } };
      sendPage(response, status, containerEditPage({ ...shown, problems }));
    };
    const { changes, problems } = changesOfEntered(definedFields, filled.custom);
    if (Object.keys(problems).length > 0) return show(422, problems, entityTag);
    try {
      const edit = { refNumbers: linesOf(filled.references) };
      await api.containers.update(container.id, edit, { ...(entityTag !== "" && { ifMatch: entityTag }) });
      await writeChanges(api, "containers", container.id, { changes });
      response.redirect(303, `/containers/${container.id}`);
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) return show(422, problemsOfRefusal(error), entityTag);
      const words = "The container has changed in the meantime. What you typed is below: save again to keep it.";
      show(412, { "": [words] }, present);
    }
  });
}
