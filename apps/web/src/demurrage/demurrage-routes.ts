import { randomUUID } from "node:crypto";
import type { DemurrageRuleResource } from "@svc/sdk";
import type { Request, Response } from "express";
import { problemsOf } from "../dashboard/api-problems.ts";
import type { DashboardRoutes, SignedInCaller } from "../dashboard/dashboard-routes.ts";
import { found, nullIfNotFound } from "../http/found.ts";
import { queryText } from "../http/read-request.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeOf } from "../pages/notice-of.ts";
import { readPageNumber } from "../pages/page-links.ts";
import {
  type DemurrageForm,
  fieldOfPointer,
  formOf,
  newForm,
  problemsOfForm,
  readDemurrageForm,
  ruleOf,
} from "./demurrage-form.ts";
import { demurrageFormPage } from "./demurrage-form-page.ts";
import { deleteDemurragePage, demurrageListPage } from "./demurrage-list-page.ts";

const path = "/account/demurrage";
const pageSize = 50;

const recomputed = "Containers are computed again within seconds.";
const notices: Readonly<Record<string, string>> = {
  created: `The rule is created. ${recomputed}`,
  saved: `Saved. ${recomputed}`,
  deleted: `The rule is deleted. ${recomputed}`,
};

const findRule = async (request: Request, { api }: SignedInCaller): Promise<DemurrageRuleResource> =>
  (await found("demurrage rule", request.params.id, (id) => nullIfNotFound(api.demurrageRules.get(id)))).data;

/** Pages under `/account/demurrage`. All throw `TrackingError` `not_found`. */
export function addDemurrageRoutes({ page, form }: DashboardRoutes, apiBaseUrl: string): void {
  /** Writes the rule of the form, or shows the form again with what is wrong. */
  const write = async (
    response: Response,
    caller: SignedInCaller,
    { id, filled, done }: { readonly id: string | null; readonly filled: DemurrageForm; readonly done: string },
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
    sendPage(response, 422, demurrageFormPage({ caller, id, key: randomUUID(), form: filled, problems }));
  };

  page(path, "read", async (request, response, caller) => {
    const number = readPageNumber(queryText(request, "page"));
    const { data: rules, links } = await caller.api.demurrageRules.list({ page: number, pageSize });
    const hasMore = links?.next !== undefined;
    const notice = noticeOf(request, notices);
    sendPage(response, 200, demurrageListPage({ caller, apiBaseUrl, rules, number, hasMore, notice }));
  });

  page(`${path}/new`, "edit_records", async (_request, response, caller) =>
    sendPage(response, 200, demurrageFormPage({ caller, id: null, key: randomUUID(), form: newForm })),
  );

  form(path, "edit_records", async (_request, response, caller, values) => {
    const filled = readDemurrageForm(values);
    const idempotencyKey = values.text("key") || undefined;
    await write(response, caller, { id: null, filled, done: "created" }, () =>
      caller.api.demurrageRules.create(ruleOf(filled), { idempotencyKey }),
    );
  });

  page(`${path}/:id/edit`, "edit_records", async (request, response, caller) => {
    const rule = await findRule(request, caller);
    sendPage(response, 200, demurrageFormPage({ caller, id: rule.id, key: randomUUID(), form: formOf(rule) }));
  });

  form(`${path}/:id/edit`, "edit_records", async (request, response, caller, values) => {
    const { id } = await findRule(request, caller);
    const filled = readDemurrageForm(values);
    await write(response, caller, { id, filled, done: "saved" }, () =>
      caller.api.demurrageRules.update(id, ruleOf(filled)),
    );
  });

  page(`${path}/:id/delete`, "edit_records", async (request, response, caller) =>
    sendPage(response, 200, deleteDemurragePage(caller, await findRule(request, caller))),
  );

  form(`${path}/:id/delete`, "edit_records", async (request, response, caller) => {
    const { id } = await findRule(request, caller);
    await caller.api.demurrageRules.delete(id);
    response.redirect(303, `${path}?done=deleted`);
  });
}
