import { randomUUID } from "node:crypto";
import type { Html } from "@svc/views";
import type { Request, Response } from "express";
import type { Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";
import { found, nullIfNotFound } from "../http/found.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import { readPageNumber } from "../pages/page-links.ts";
import { fieldIn, problemsOf } from "./api-problems.ts";
import type { DashboardRoutes, SignedInCaller } from "./dashboard-routes.ts";

const pageSize = 50;

/** The part of the SDK for records of one type. */
interface RecordClient<Stored, Settings> {
  list(options: {
    readonly page: number;
    readonly pageSize: number;
  }): Promise<{ readonly data: readonly Stored[]; readonly links?: { readonly next?: unknown } | undefined }>;
  get(id: string): Promise<{ readonly data: Stored }>;
  create(settings: Settings, options: { readonly idempotencyKey: string | undefined }): Promise<unknown>;
  update(id: string, settings: Settings): Promise<unknown>;
  delete?(id: string): Promise<unknown>;
}

export interface RecordPages<Stored extends { readonly id: string }, Form extends object, Settings> {
  readonly path: string;
  /** In errors, such as "demurrage rule". */
  readonly kind: string;
  /** Shown on the list after a record is created, saved or deleted. */
  readonly notices: Readonly<Record<string, string>>;
  readonly clientOf: (api: SignedInCaller["api"]) => RecordClient<Stored, Settings>;
  /** With a field for each attribute, by the attribute's name in camel case. */
  readonly newForm: Form;
  readonly formOf: (record: Stored) => Form;
  readonly readForm: (values: FormValues) => Form;
  /** What can be said without the API; by field. */
  readonly problemsOfForm: (form: Form) => Problems;
  readonly settingsOf: (form: Form) => Settings;
  readonly listPage: (shown: {
    readonly caller: SignedInCaller;
    readonly records: readonly Stored[];
    readonly number: number;
    readonly hasMore: boolean;
    readonly notice: string | undefined;
  }) => Html;
  readonly formPage: (shown: {
    readonly caller: SignedInCaller;
    /** Null: a new record. */
    readonly id: string | null;
    /** The idempotency key of a new record. */
    readonly key: string;
    readonly form: Form;
    readonly problems?: Problems;
  }) => Html;
  /** Absent: the records cannot be deleted. */
  readonly deletePage?: (caller: SignedInCaller, record: Stored) => Html;
}

/** Lists, edits and deletes records of the account, by roles that may. All throw `TrackingError` `not_found`. */
export function addRecordPages<Stored extends { readonly id: string }, Form extends object, Settings>(
  { page, form }: DashboardRoutes,
  pages: RecordPages<Stored, Form, Settings>,
): void {
  const { path, kind, notices, clientOf, newForm, formOf, readForm, problemsOfForm, settingsOf } = pages;
  const fieldOf = fieldIn(new Set(Object.keys(newForm)));

  const find = async (request: Request, { api }: SignedInCaller): Promise<Stored> =>
    (await found(kind, request.params.id, (id) => nullIfNotFound(clientOf(api).get(id)))).data;

  /** Writes the record of the form, or shows the form again with what is wrong. */
  const write = async (
    response: Response,
    caller: SignedInCaller,
    { id, filled, done }: { readonly id: string | null; readonly filled: Form; readonly done: string },
    send: () => Promise<unknown>,
  ): Promise<void> => {
    let problems = problemsOfForm(filled);
    if (Object.keys(problems).length === 0) {
      problems = await send().then(
        () => ({}),
        (error: unknown) => problemsOf(error, fieldOf),
      );
    }
    if (Object.keys(problems).length === 0) return response.redirect(303, `${path}?done=${done}`);
    sendPage(response, 422, pages.formPage({ caller, id, key: randomUUID(), form: filled, problems }));
  };

  page(path, "read", async (request, response, caller) => {
    const number = readPageNumber(queryText(request, "page"));
    const { data: records, links } = await clientOf(caller.api).list({ page: number, pageSize });
    const hasMore = links?.next !== undefined;
    sendPage(response, 200, pages.listPage({ caller, records, number, hasMore, notice: noticeOf(request, notices) }));
  });

  page(`${path}/new`, "edit_records", async (_request, response, caller) =>
    sendPage(response, 200, pages.formPage({ caller, id: null, key: randomUUID(), form: newForm })),
  );

  form(path, "edit_records", async (_request, response, caller, values) => {
    const filled = readForm(values);
    const idempotencyKey = values.text("key") || undefined;
    await write(response, caller, { id: null, filled, done: "created" }, () =>
      clientOf(caller.api).create(settingsOf(filled), { idempotencyKey }),
    );
  });

  page(`${path}/:id/edit`, "edit_records", async (request, response, caller) => {
    const record = await find(request, caller);
    sendPage(response, 200, pages.formPage({ caller, id: record.id, key: randomUUID(), form: formOf(record) }));
  });

  form(`${path}/:id/edit`, "edit_records", async (request, response, caller, values) => {
    const { id } = await find(request, caller);
    const filled = readForm(values);
    await write(response, caller, { id, filled, done: "saved" }, () =>
      clientOf(caller.api).update(id, settingsOf(filled)),
    );
  });

  const { deletePage } = pages;
  if (deletePage === undefined) return;

  page(`${path}/:id/delete`, "edit_records", async (request, response, caller) =>
    sendPage(response, 200, deletePage(caller, await find(request, caller))),
  );

  form(`${path}/:id/delete`, "edit_records", async (request, response, caller) => {
    const { id } = await find(request, caller);
    await clientOf(caller.api).delete?.(id);
    response.redirect(303, `${path}?done=deleted`);
  });
}
