import { type ApiFault, ValidationError } from "@svc/sdk";
import { deletableRecordRoutes } from "../dashboard/record-routes.ts";
import type { Problems } from "../forms/field.ts";
import { sendTemplate } from "../forms/file-columns.ts";
import { get, post, type Route } from "../http/define-route.ts";
import type { FormHandler, PageHandler } from "../http/handler.ts";
import { sendPage } from "../http/send-page.ts";
import type { Services } from "../services.ts";
import { listBytesMax } from "../tracking-requests/read-numbers.ts";
import { problemsOfRefusal } from "../tracking-requests/request-fields.ts";
import { factorFileColumns } from "./factor-columns.ts";
import { formFields, formOf, newForm, problemsOfForm, readFactorForm, toFactor } from "./factor-form.ts";
import { factorFormPage } from "./factor-form-page.ts";
import { factorImportPage } from "./factor-import-page.ts";
import { deleteFactorPage, factorListPage } from "./factor-list-page.ts";

const path = "/account/emissions";

/** Pages under `/account/emissions`. */
export function emissionRoutes({ apiBaseUrl }: Pick<Services, "apiBaseUrl">): readonly Route[] {
  const records = deletableRecordRoutes({
    path,
    kind: "emission factor",
    notices: {
      created: "The factor is created.",
      saved: "Saved.",
      deleted: "The factor is deleted.",
      imported: "The factors of the file are created.",
    },
    clientOf: (api) => api.emissionFactors,
    newForm,
    fields: formFields,
    formOf,
    readForm: readFactorForm,
    problemsOfForm,
    settingsOf: toFactor,
    listPage: ({ records, ...listed }) => factorListPage({ ...listed, apiBaseUrl }, records),
    formPage: factorFormPage,
    deletePage: deleteFactorPage,
  });

  const showImport: PageHandler = async (_request, response, caller) =>
    sendPage(response, 200, factorImportPage({ caller, apiBaseUrl, text: "", problems: {}, faults: [] }));

  const importFile: FormHandler = async (_request, response, caller, values) => {
    const text = values.exact("text");
    const show = (problems: Problems, faults: readonly ApiFault[] = []) =>
      sendPage(response, 422, factorImportPage({ caller, apiBaseUrl, text, problems, faults }));
    const csv = values.text("file") === "" ? text : values.exact("file");
    if (csv.trim() === "") return show({ file: "Choose a file, or paste its text below." });
    try {
      await caller.api.emissionFactors.import(csv);
      response.redirect(303, `${path}?done=imported`);
    } catch (error) {
      if (error instanceof ValidationError) show({}, error.faults);
      else show(problemsOfRefusal(error, "Nothing was imported."));
    }
  };

  return [
    ...records,
    get(`${path}/import`, "edit_records", showImport),
    get(`${path}/import/template.csv`, "edit_records", sendTemplate("emission-factors", factorFileColumns)),
    post(`${path}/import`, "edit_records", importFile, { filesBytesMax: listBytesMax }),
  ];
}
