import { randomUUID } from "node:crypto";
import type { ResponseReader } from "@svc/sdk";
import type { Html } from "@svc/views";
import type { Request, Response } from "express";
import type { SignedInCaller } from "../access/api-clients.ts";
import { fieldIn, problemsOfCall } from "../forms/api-problems.ts";
import { hasProblems, type Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";
import { beforeForm, type FormFields } from "../forms/merge-form.ts";
import { saveForm } from "../forms/save-form.ts";
import { get, post, type Route } from "../http/define-route.ts";
import { findRecord, findWithEntityTag, nullIfNotFound } from "../http/find-record.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { orNull } from "../http/or-null.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import { readPageNumber } from "../pages/page-links.ts";
import type { RecordForm } from "./record-form.ts";

const pageSize = 50;

/** The part of the SDK for records of one type. */
interface RecordClient<Stored, Settings> {
  list(options: {
    readonly page: number;
    readonly pageSize: number;
  }): Promise<{ readonly data: readonly Stored[]; readonly links?: { readonly next?: unknown } | undefined }>;
  get(id: string, options?: ResponseReader): Promise<{ readonly data: Stored }>;
  create(settings: Settings, options: { readonly idempotencyKey: string | undefined }): Promise<unknown>;
  update(id: string, settings: Settings, options: { readonly ifMatch: string }): Promise<unknown>;
}

export interface RecordPages<Stored extends { readonly id: string }, Form extends object, Settings> {
  readonly path: string;
  /** Name of the record in errors, such as "demurrage rule". */
  readonly kind: string;
  /** Shown on the list after a record is created, saved or deleted. */
  readonly notices: Readonly<Record<string, string>>;
  readonly clientOf: (api: SignedInCaller["api"]) => RecordClient<Stored, Settings>;
  /** Values of the form of a new record: a field for each attribute, by the attribute's name in camel case. */
  readonly newForm: Form;
  /** Form fields by member of the form. */
  readonly fields: FormFields<Form>;
  readonly formOf: (record: Stored) => Form;
  readonly readForm: (values: FormValues) => Form;
  /** Returns the problems that can be found without the API, by field. */
  readonly problemsOfForm: (form: Form) => Problems;
  /** Replaces names that fields accept by their codes; `present` has those of the record. */
  readonly withCodes?: (form: Form, present: Form, api: SignedInCaller["api"]) => Promise<Form>;
  readonly settingsOf: (form: Form) => Settings;
  readonly listPage: (pageOptions: {
    readonly caller: SignedInCaller;
    readonly records: readonly Stored[];
    readonly number: number;
    readonly hasMore: boolean;
    readonly notice: string | undefined;
  }) => Html | Promise<Html>;
  readonly formPage: (shown: RecordForm<Form>) => Html | Promise<Html>;
}

/** Pages of records that can be deleted. */
export interface DeletableRecordPages<Stored extends { readonly id: string }, Form extends object, Settings>
  extends RecordPages<Stored, Form, Settings> {
  readonly clientOf: (
    api: SignedInCaller["api"],
  ) => RecordClient<Stored, Settings> & { delete(id: string): Promise<unknown> };
  readonly deletePage: (caller: SignedInCaller, record: Stored) => Html;
}

/** Pages that list, create and edit records of the account. All throw `TrackingError` `not_found`. */
export function recordRoutes<Stored extends { readonly id: string }, Form extends object, Settings>(
  pages: RecordPages<Stored, Form, Settings>,
): readonly Route[] {
  const { path, kind, notices, clientOf, newForm, formOf, problemsOfForm, settingsOf } = pages;
  const fieldOf = fieldIn(new Set(Object.keys(newForm)));

  /** Text whose code cannot be read stays, so that no entries are lost. */
  const readForm = async (values: FormValues, present: Form, { api }: SignedInCaller): Promise<Form> => {
    const entered = pages.readForm(values);
    return (pages.withCodes && (await orNull(pages.withCodes(entered, present, api)))) ?? entered;
  };

  const find = (request: Request, { api }: SignedInCaller) =>
    findWithEntityTag(kind, request.params.id, (id, options) => clientOf(api).get(id, options));

  const showForm = async (
    response: Response,
    status: 200 | 412 | 422,
    shown: Omit<RecordForm<Form>, "key">,
  ): Promise<void> => sendPage(response, status, await pages.formPage({ ...shown, key: randomUUID() }));

  const list: PageHandler = async (request, response, caller) => {
    const number = readPageNumber(queryText(request, "page"));
    const { data: records, links } = await clientOf(caller.api).list({ page: number, pageSize });
    const hasMore = links?.next !== undefined;
    const notice = noticeOf(request, notices);
    sendPage(response, 200, await pages.listPage({ caller, records, number, hasMore, notice }));
  };

  const showNew: PageHandler = (_request, response, caller) =>
    showForm(response, 200, { caller, id: null, form: newForm, before: null });

  const create: FormHandler = async (_request, response, caller, values) => {
    const form = await readForm(values, newForm, caller);
    const shown = { caller, id: null, form, before: null };
    const problems = problemsOfForm(form);
    if (hasProblems(problems)) return showForm(response, 422, { ...shown, problems });
    const idempotencyKey = values.text("key") || undefined;
    const call = clientOf(caller.api).create(settingsOf(form), { idempotencyKey });
    const refused = await problemsOfCall(call, fieldOf);
    if (hasProblems(refused)) return showForm(response, 422, { ...shown, problems: refused });
    response.redirect(303, `${path}?done=created`);
  };

  const showEdit: PageHandler = async (request, response, caller) => {
    const { data: record } = (await find(request, caller)).read;
    const form = formOf(record);
    await showForm(response, 200, { caller, id: record.id, form, before: beforeForm(form) });
  };

  const save: FormHandler = (request, response, caller, values) =>
    saveForm({
      kind,
      values,
      find: () => find(request, caller),
      formOf,
      fields: pages.fields,
      readForm: (present) => readForm(values, present, caller),
      problemsOfForm,
      update: (id, form, options) => clientOf(caller.api).update(id, settingsOf(form), options),
      fieldOf,
      showAgain: (status, shown) => showForm(response, status, { caller, ...shown }),
      onSaved: () => response.redirect(303, `${path}?done=saved`),
    });

  return [
    get(path, "read", list),
    post(path, "edit_records", create),
    get(`${path}/new`, "edit_records", showNew),
    get(`${path}/:id/edit`, "edit_records", showEdit),
    post(`${path}/:id/edit`, "edit_records", save),
  ];
}

/** As `recordRoutes`, and deletes records. */
export function deletableRecordRoutes<Stored extends { readonly id: string }, Form extends object, Settings>(
  pages: DeletableRecordPages<Stored, Form, Settings>,
): readonly Route[] {
  const { path, kind, clientOf, deletePage } = pages;

  const find = async (request: Request, { api }: SignedInCaller): Promise<Stored> =>
    (await findRecord(kind, request.params.id, (id) => nullIfNotFound(clientOf(api).get(id)))).data;

  const showDelete: PageHandler = async (request, response, caller) =>
    sendPage(response, 200, deletePage(caller, await find(request, caller)));

  const remove: FormHandler = async (request, response, caller) => {
    const { id } = await find(request, caller);
    await clientOf(caller.api).delete(id);
    response.redirect(303, `${path}?done=deleted`);
  };

  return [
    ...recordRoutes(pages),
    get(`${path}/:id/delete`, "edit_records", showDelete),
    post(`${path}/:id/delete`, "edit_records", remove),
  ];
}
