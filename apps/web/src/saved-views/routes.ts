import { type ViewList, viewLists } from "@svc/domain/saved-views";
import { TrackingError } from "@svc/jsonapi";
import type { Client, SavedViewResource } from "@svc/sdk";
import type { Request, Response } from "express";
import { problemsOf } from "../forms/api-problems.ts";
import type { FormValues } from "../forms/form-values.ts";
import { beforeForm, type FormFields } from "../forms/merge-form.ts";
import { saveForm } from "../forms/save-form.ts";
import { get, post, type Route } from "../http/define-route.ts";
import { findWithEntityTag } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import type { Services } from "../services.ts";
import { settingsOf, viewAddress } from "./list-addresses.ts";
import { readViews } from "./read-views.ts";
import { deleteViewPage, type ViewForm, viewFormPage, viewListPage } from "./view-pages.ts";

const path = "/account/views";
const notices: Readonly<Record<string, string>> = { saved: "Saved.", deleted: "The view is deleted." };

const readForm = (values: FormValues): ViewForm => ({
  name: values.text("name"),
  shared: values.text("shared") !== "",
  isDefault: values.text("default") !== "",
});

const formOf = ({ attributes: { name, shared, is_default: isDefault } }: SavedViewResource): ViewForm => ({
  name,
  shared,
  isDefault,
});

/** Labels of the fields, as the page shows them. */
const fields: FormFields<ViewForm> = {
  name: "Name",
  shared: "Share with the account",
  isDefault: "Make this my default view",
};

/** The field of the form for a pointer such as `/data/attributes/name`. */
function fieldOf(pointer: string): string {
  const attribute = pointer.split("/")[3] ?? "";
  return attribute === "name" || attribute === "shared" ? attribute : "";
}

/** The settings in the query of a list's page, as the page applies them. */
const submittedSettings = (list: ViewList, values: FormValues) =>
  settingsOf(list, Object.fromEntries(new URLSearchParams(values.text("query"))));

const findVersion = (api: Client, request: Request) =>
  findWithEntityTag("saved view", request.params.id, (id, options) => api.savedViews.get(id, options));

const find = async (api: Client, request: Request) => (await findVersion(api, request)).read.data;

const open: PageHandler = async (request, response, { api }) => {
  response.redirect(302, viewAddress(await find(api, request)));
};

const create: FormHandler = async (_request, response, caller, values) => {
  const list = viewLists.find((one) => one === values.text("list"));
  if (!list) throw TrackingError.of("invalid", "Save a view on the page of a list.");
  const { isDefault, ...submitted } = readForm(values);
  try {
    const view = { ...submittedSettings(list, values), ...submitted, list, isDefault };
    response.redirect(303, viewAddress((await caller.api.savedViews.create(view)).data));
  } catch (error) {
    const problems = problemsOf(error, fieldOf);
    const created = { list, query: values.text("query") };
    const pageOptions = { caller, action: "/views", before: null, created };
    sendPage(response, 422, viewFormPage({ ...pageOptions, form: readForm(values), problems }));
  }
};

const saveSettings: FormHandler = async (request, response, { api }, values) => {
  const { id, attributes } = await find(api, request);
  const updated = await api.savedViews
    .update(id, submittedSettings(attributes.list, values))
    .catch((error: unknown) => {
      const { "": problem = "The view cannot be updated." } = problemsOf(error, () => "");
      throw TrackingError.of("invalid", problem);
    });
  response.redirect(303, viewAddress(updated.data));
};

const showForm = async (
  response: Response,
  status: 200 | 412 | 422,
  { id, ...shown }: Omit<Parameters<typeof viewFormPage>[0], "action" | "created"> & { readonly id: string },
): Promise<void> => sendPage(response, status, viewFormPage({ ...shown, action: `${path}/${id}/edit`, created: null }));

const showEdit: PageHandler = async (request, response, caller) => {
  const view = await find(caller.api, request);
  const form = formOf(view);
  await showForm(response, 200, { caller, id: view.id, form, before: beforeForm(form), problems: {} });
};

const save: FormHandler = (request, response, caller, values) =>
  saveForm({
    kind: "view",
    values,
    find: () => findVersion(caller.api, request),
    formOf,
    fields,
    readForm: () => readForm(values),
    problemsOfForm: () => ({}),
    update: (id, form, options) => caller.api.savedViews.update(id, form, options),
    fieldOf,
    showAgain: (status, shown) => showForm(response, status, { caller, ...shown }),
    onSaved: () => response.redirect(303, `${path}?done=saved`),
  });

const showDelete: PageHandler = async (request, response, caller) => {
  sendPage(response, 200, deleteViewPage(caller, await find(caller.api, request)));
};

const remove: FormHandler = async (request, response, caller) => {
  const view = await find(caller.api, request);
  try {
    await caller.api.savedViews.delete(view.id);
    response.redirect(303, `${path}?done=deleted`);
  } catch (error) {
    const { "": problem } = problemsOf(error, () => "");
    sendPage(response, 422, deleteViewPage(caller, view, problem));
  }
};

/**
 * `GET /views/{id}` opens a view; `POST /views` and `POST /views/{id}/settings` save the settings of the page with the
 * form. `/account/views` lists them, and edits and deletes one.
 */
export function viewRoutes({ apiBaseUrl }: Pick<Services, "apiBaseUrl">): readonly Route[] {
  const list: PageHandler = async (request, response, caller) => {
    const notice = noticeOf(request, notices);
    sendPage(response, 200, viewListPage({ caller, apiBaseUrl, views: await readViews(caller), notice }));
  };
  return [
    post("/views", "edit_records", create),
    get("/views/:id", "read", open),
    post("/views/:id/settings", "edit_records", saveSettings),
    get("/account/views", "read", list),
    get("/account/views/:id/edit", "edit_records", showEdit),
    post("/account/views/:id/edit", "edit_records", save),
    get("/account/views/:id/delete", "edit_records", showDelete),
    post("/account/views/:id/delete", "edit_records", remove),
  ];
}
