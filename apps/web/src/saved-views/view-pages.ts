import type { ViewList } from "@svc/domain/saved-views";
import type { SavedViewResource } from "@svc/sdk";
import { actionsColumn, type Html, html, listTable } from "@svc/views";
import type { SignedInCaller } from "../access/api-clients.ts";
import { may } from "../access/callers.ts";
import { accountLayout } from "../account/account-layout.ts";
import { deleteRecordPage } from "../dashboard/record-list-page.ts";
import { checkbox } from "../forms/choices.ts";
import { field, formProblem, groupProblem, type Problems } from "../forms/field.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { viewAddress } from "./list-addresses.ts";
import { settingsText } from "./settings-text.ts";

const path = "/account/views";

const listLabels: Readonly<Record<ViewList, string>> = {
  shipments: "Shipments",
  containers: "Containers",
  exceptions: "Attention",
};

function row(view: SavedViewResource, mayEdit: boolean): Html {
  const { id, attributes } = view;
  const { name, list, shared, is_default: isDefault, created_by: creator, outdated_filters: outdated } = attributes;
  return html`
    <tr>
      <th scope="row" data-label="Name"><a class="row-link" href="${viewAddress(view)}">${name}</a>
        ${isDefault && html`<span class="state good">Default</span>`}</th>
      <td data-label="List">${listLabels[list]}</td>
      <td data-label="Shows">${settingsText(view)}
        ${outdated.length > 0 && html`<span class="late">${outdated.map(({ detail }) => detail).join(" ")}</span>`}</td>
      <td data-label="Visibility">${shared ? "Shared" : "Private"}${
        shared && creator && html` <span class="muted">created by ${creator}</span>`
      }</td>
      ${
        mayEdit &&
        html`<td><span class="row-actions">
          <a href="${path}/${id}/edit" aria-label="Edit ${name}">Edit</a>
          <a class="danger" href="${path}/${id}/delete" aria-label="Delete ${name}">Delete</a></span></td>`
      }
    </tr>`;
}

/** `GET /account/views`: the views that the member sees. */
export function viewListPage(options: {
  readonly caller: SignedInCaller;
  readonly apiBaseUrl: string;
  readonly views: readonly SavedViewResource[];
  readonly notice: string | undefined;
}): Html {
  const { caller, apiBaseUrl, views, notice } = options;
  const mayEdit = may(caller, "edit_records");
  const empty = html`
    <section class="card empty"><h2>No saved views yet</h2>
      <p>Filter <a href="/shipments">shipments</a>, <a href="/containers">containers</a> or
        <a href="/attention">exceptions</a>, then choose Save view.</p></section>`;
  return accountLayout({
    title: "Saved views",
    caller,
    part: "views",
    notice,
    content: html`
      ${
        views.length === 0
          ? empty
          : listTable({
              className: "names",
              caption: "Saved views",
              columns: ["Name", "List", "Shows", "Visibility", ...(mayEdit ? [actionsColumn] : [])],
              rows: views.map((view) => row(view, mayEdit)),
            })
      }
      ${sameFromApi(apiBaseUrl, [{ path: "/saved_views" }])}`,
  });
}

/** Submitted values, shown again when they are invalid. */
export interface ViewForm {
  readonly name: string;
  readonly shared: boolean;
  readonly isDefault: boolean;
}

/** The form of a view that is edited, or of a new one that could not be saved: then with its list and query. */
export function viewFormPage(options: {
  readonly caller: SignedInCaller;
  readonly action: string;
  readonly form: ViewForm;
  /** Hidden fields of the form of a stored view (`beforeForm`). */
  readonly before: Html | null;
  readonly problems: Problems;
  readonly created: { readonly list: string; readonly query: string } | null;
}): Html {
  const { caller, action, form, before, problems, created } = options;
  const title = created ? "Save view" : "Edit view";
  return accountLayout({
    title,
    caller,
    part: "views",
    isOfRecord: true,
    content: html`
      <form class="card form" method="post" action="${action}">
        ${formProblem(problems)}
        ${before}
        ${created && html`<input type="hidden" name="list" value="${created.list}">`}
        ${created && html`<input type="hidden" name="query" value="${created.query}">`}
        ${field({ label: "Name", name: "name", value: form.name, problems, maxLength: 100, isRequired: true })}
        ${checkbox("shared", "Share with the account", { isChecked: form.shared })}
        ${groupProblem(problems, "shared")}
        ${checkbox("default", "Make this my default view", { isChecked: form.isDefault })}
        <p class="actions"><button>Save view</button> <a href="${path}">Cancel</a></p>
      </form>`,
  });
}

export function deleteViewPage(caller: SignedInCaller, { id, attributes }: SavedViewResource, problem?: string): Html {
  const { name, shared } = attributes;
  return deleteRecordPage(caller, {
    part: "views",
    path,
    id,
    name,
    problem,
    effect:
      (shared ? "No member of the account will see it any more. " : "") +
      "Calendars that are limited to it end. Shipments and containers are not changed.",
    button: "Delete view",
  });
}
