import { deletableRecordRoutes } from "../dashboard/record-routes.ts";
import type { Route } from "../http/define-route.ts";
import { locodeOf } from "../saved-views/port-suggestions.ts";
import type { Services } from "../services.ts";
import { formFields, formOf, newForm, problemsOfForm, readDemurrageForm, toRule } from "./demurrage-form.ts";
import { demurrageFormPage } from "./demurrage-form-page.ts";
import { deleteDemurragePage, demurrageListPage } from "./demurrage-list-page.ts";

const recomputed = "Containers are computed again within seconds.";

/** Pages under `/account/demurrage`. */
export function demurrageRoutes({ apiBaseUrl }: Pick<Services, "apiBaseUrl">): readonly Route[] {
  return deletableRecordRoutes({
    path: "/account/demurrage",
    kind: "demurrage rule",
    notices: {
      created: `The rule is created. ${recomputed}`,
      saved: `Saved. ${recomputed}`,
      deleted: `The rule is deleted. ${recomputed}`,
    },
    clientOf: (api) => api.demurrageRules,
    newForm,
    fields: formFields,
    formOf,
    readForm: readDemurrageForm,
    withCodes: async (form, present, api) =>
      form.portLocode === present.portLocode ? form : { ...form, portLocode: await locodeOf(api, form.portLocode) },
    problemsOfForm,
    settingsOf: toRule,
    listPage: ({ records, ...listed }) => demurrageListPage({ ...listed, apiBaseUrl }, records),
    formPage: demurrageFormPage,
    deletePage: deleteDemurragePage,
  });
}
