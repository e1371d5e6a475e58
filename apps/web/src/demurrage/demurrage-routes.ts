import type { DashboardRoutes } from "../dashboard/dashboard-routes.ts";
import { addRecordPages } from "../dashboard/record-pages.ts";
import { formFields, formOf, newForm, problemsOfForm, readDemurrageForm, ruleOf } from "./demurrage-form.ts";
import { demurrageFormPage } from "./demurrage-form-page.ts";
import { deleteDemurragePage, demurrageListPage } from "./demurrage-list-page.ts";

const recomputed = "Containers are computed again within seconds.";

/** Pages under `/account/demurrage`. */
export function addDemurrageRoutes(routes: DashboardRoutes, apiBaseUrl: string): void {
  addRecordPages(routes, {
    path: "/account/demurrage",
    kind: "demurrage rule",
    notices: {
      created: `The rule is created. ${recomputed}`,
      saved: `Saved. ${recomputed}`,
      deleted: `The rule is deleted. ${recomputed}`,
    },
    clientOf: (api) => api.demurrageRules,
    ...{ newForm, fields: formFields, formOf, readForm: readDemurrageForm, problemsOfForm, settingsOf: ruleOf },
    listPage: ({ records, ...listed }) => demurrageListPage({ ...listed, apiBaseUrl }, records),
    formPage: demurrageFormPage,
    deletePage: deleteDemurragePage,
  });
}
