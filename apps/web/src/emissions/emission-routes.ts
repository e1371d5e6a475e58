import { randomUUID } from "node:crypto";
import { type ApiFault, type EmissionFactorResource, ValidationError } from "@svc/sdk";
import type { Request, Response } from "express";
import { problemsOf } from "../dashboard/api-problems.ts";
import type { DashboardRoutes, SignedInCaller } from "../dashboard/dashboard-routes.ts";
import { found, nullIfNotFound } from "../http/found.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import { readPageNumber } from "../pages/page-links.ts";
import { listBytesMax } from "../requests/read-numbers.ts";
import type { FieldProblems } from "../requests/request-fields.ts";
import { problemsOfRefusal } from "../requests/track-routes.ts";
import {
  type FactorForm,
  factorOf,
  fieldOfPointer,
  formOf,
  newForm,
  problemsOfForm,
  readFactorForm,
} from "./factor-form.ts";
import { factorFormPage } from "./factor-form-page.ts";
import { factorImportPage } from "./factor-import-page.ts";
import { deleteFactorPage, factorListPage } from "./factor-list-page.ts";

const path = "/account/emissions";
const pageSize = 50;

const notices: Readonly<Record<string, string>> = {
  created: "The factor is created.",
  saved: "Saved.",
  deleted: "The factor is deleted.",
  imported: "The factors of the file are created.",
};

const findFactor = async (request: Request, { api }: SignedInCaller): Promise<EmissionFactorResource> =>
  (await found("emission factor", request.params.id, (id) => nullIfNotFound(api.emissionFactors.get(id)))).data;

/** Pages under `/account/emissions`. All throw `TrackingError` `not_found`. */
export function addEmissionRoutes({ page, form }: DashboardRoutes, apiBaseUrl: string): void {
  /** Writes the factor of the form, or shows the form again with what is wrong. */
  const write = async (
    response: Response,
    caller: SignedInCaller,
    { id, filled, done }: { readonly id: string | null; readonly filled: FactorForm; readonly done: string },
    send: () => Promise<unknown>,
  ): Promise<void> => {
    let problems = problemsOfForm(filled);
    if (Object.keys(problems).length === 0) {
      problems = await send().then(
        () => ({}),
        (error: unknown) => problemsOf(error, fieldOfPointer),
      );
    }
    if (Object.keys(problems).length === 0) return response.redirect(303, `${path}?done=${done}`);
    sendPage(response, 422, factorFormPage({ caller, id, key: randomUUID(), form: filled, problems }));
  };

  page(path, "read", async (request, response, caller) => {
    const number = readPageNumber(queryText(request, "page"));
    const { data: factors, links } = await caller.api.emissionFactors.list({ page: number, pageSize });
    const hasMore = links?.next !== undefined;
    const notice = noticeOf(request, notices);
    sendPage(response, 200, factorListPage({ caller, apiBaseUrl, factors, number, hasMore, notice }));
  });

  page(`${path}/new`, "edit_records", async (_request, response, caller) =>
    sendPage(response, 200, factorFormPage({ caller, id: null, key: randomUUID(), form: newForm })),
  );

  page(`${path}/import`, "edit_records", async (_request, response, caller) =>
    sendPage(response, 200, factorImportPage({ caller, apiBaseUrl, text: "", problems: {}, faults: [] })),
  );

  form(path, "edit_records", async (_request, response, caller, values) => {
    const filled = readFactorForm(values);
    const idempotencyKey = values.text("key") || undefined;
    await write(response, caller, { id: null, filled, done: "created" }, () =>
      caller.api.emissionFactors.create(factorOf(filled), { idempotencyKey }),
    );
  });

  form(
    `${path}/import`,
    "edit_records",
    async (_request, response, caller, values) => {
      const text = values.exact("text");
      const show = (problems: FieldProblems, faults: readonly ApiFault[] = []) =>
        sendPage(response, 422, factorImportPage({ caller, apiBaseUrl, text, problems, faults }));
      const csv = values.text("file") === "" ? text : values.exact("file");
      if (csv.trim() === "") return show({ file: ["Choose a file, or paste its text below."] });
      try {
        await caller.api.emissionFactors.import(csv);
        response.redirect(303, `${path}?done=imported`);
      } catch (error) {
        if (error instanceof ValidationError) show({}, error.faults);
        else show(problemsOfRefusal(error));
      }
    },
    { filesBytesMax: listBytesMax },
  );

  page(`${path}/:id/edit`, "edit_records", async (request, response, caller) => {
    const factor = await findFactor(request, caller);
    sendPage(response, 200, factorFormPage({ caller, id: factor.id, key: randomUUID(), form: formOf(factor) }));
  });

  form(`${path}/:id/edit`, "edit_records", async (request, response, caller, values) => {
    const { id } = await findFactor(request, caller);
    const filled = readFactorForm(values);
    await write(response, caller, { id, filled, done: "saved" }, () =>
      caller.api.emissionFactors.update(id, factorOf(filled)),
    );
  });

  page(`${path}/:id/delete`, "edit_records", async (request, response, caller) =>
    sendPage(response, 200, deleteFactorPage(caller, await findFactor(request, caller))),
  );

  form(`${path}/:id/delete`, "edit_records", async (request, response, caller) => {
    const { id } = await findFactor(request, caller);
    await caller.api.emissionFactors.delete(id);
    response.redirect(303, `${path}?done=deleted`);
  });
}
