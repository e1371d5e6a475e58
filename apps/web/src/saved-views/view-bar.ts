import type { ViewList } from "@svc/domain/saved-views";
import type { SavedViewResource } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { checkbox } from "../forms/choices.ts";
import { menu } from "../pages/menu.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { listAddresses, viewAddress } from "./list-addresses.ts";
import { withoutView } from "./view-parameters.ts";

const visibleViewsMax = 8;

/** The saved views of a list, as its page shows them. */
export interface ListViews {
  readonly list: ViewList;
  /** Views that the member sees: the default one first, then by name. */
  readonly views: readonly SavedViewResource[];
  /** The view that the page was opened with. */
  readonly current: SavedViewResource | null;
  /** The parameter `saved` of the page: id of the view, "none", or "". */
  readonly saved: string;
  /** The address of the page with the settings that a view has alone. */
  readonly address: string;
  /** Whether the member may save and change views. */
  readonly mayEdit: boolean;
}

/** Names of columns beside those of the first one; the keys are those of the list. */
type ColumnLabels = Readonly<Record<string, string>>;

const searchOf = (address: string): string => new URL(address, "http://localhost").search;

const isChanged = ({ current, address }: ListViews): boolean =>
  current !== null && viewAddress(current, "") !== address;

function savedViews({ list, views, current }: ListViews): Html | null {
  if (views.length === 0) return null;
  const { path, label } = listAddresses[list];
  const link = (address: string, isCurrent: boolean, name: string, note: string | null) =>
    html`<a href="${address}"${isCurrent && html` aria-current="true"`}${note && html` title="${note}"`}>${name}</a>`;
  const viewLink = (view: SavedViewResource) => {
    const { name, shared, is_default: isDefault, created_by: creator } = view.attributes;
    const notes = [isDefault && "Your default view", shared && `Shared${creator === null ? "" : ` by ${creator}`}`];
    return link(viewAddress(view), view.id === current?.id, name, notes.filter(Boolean).join(" · ") || null);
  };
  const visibleViews = views.filter((view, index) => index < visibleViewsMax || view.id === current?.id);
  return html`
    <nav class="chips tabs" aria-label="Saved views">
      ${link(`${path}?saved=${withoutView}`, current === null, label, null)}
      ${visibleViews.map(viewLink)}
      ${views.length > visibleViews.length && link("/account/views", false, `All ${views.length} views`, null)}
    </nav>`;
}

/** Hidden fields for the parameters of an address, except the named ones. */
const hiddenFields = (address: string, except: readonly string[]): Html[] =>
  [...new URL(address, "http://localhost").searchParams]
    .filter(([name]) => !except.includes(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** The columns of a list, as its page shows them. */
export interface ListColumns {
  readonly labels: ColumnLabels;
  readonly shown: readonly string[];
  /** Columns that narrow windows leave out. */
  readonly wide: ReadonlySet<string>;
}

function columnsForm({ list, address, saved }: ListViews, { labels, shown, wide }: ListColumns): Html {
  const { path } = listAddresses[list];
  const columnCheckbox = ([column, label]: [string, string]) => {
    const note = wide.has(column) && html` <span class="muted narrow-only">in wide windows</span>`;
    return checkbox("columns", html`${label}${note}`, { value: column, isChecked: shown.includes(column) });
  };
  return menu({
    id: "columns-form",
    label: "Columns",
    content: html`
      <form class="menu" action="${path}" data-in-place aria-label="Columns">
        ${hiddenFields(address, ["columns", "saved"])}
        <input type="hidden" name="saved" value="${saved}">
        <div class="fields">${Object.entries(labels).map(columnCheckbox)}</div>
        <p><button class="quiet">Apply</button></p>
      </form>`,
  });
}

function saveForm({ list, address, current }: ListViews): Html {
  return menu({
    id: "save-view",
    label: current ? "Save as another view" : "Save view",
    content: html`
      <form class="menu" method="post" action="/views">
        <input type="hidden" name="list" value="${list}">
        <input type="hidden" name="query" value="${searchOf(address)}">
        <p><label for="view-name">Name</label>
          <input id="view-name" name="name" maxlength="100" required autocomplete="off"></p>
        ${checkbox("shared", "Share with the account")}
        ${checkbox("default", "Make this my default view")}
        <p><button>Save view</button></p>
        <p><a href="/account/views">Manage views</a></p>
      </form>`,
  });
}

function updateForm(views: ListViews): Html | null {
  const { current, address } = views;
  if (!current || !views.mayEdit || !isChanged(views)) return null;
  return html`
    <form class="changed" method="post" action="/views/${current.id}/settings">
      <input type="hidden" name="query" value="${searchOf(address)}">
      <a href="${viewAddress(current)}">Undo changes</a>
      <button class="quiet">Update “${current.attributes.name}”</button>
    </form>`;
}

function notes({ current, saved }: ListViews): Html | null {
  if (current === null) {
    const isGone = saved !== "" && saved !== withoutView;
    return isGone ? noticeBanner("warning", "The saved view no longer exists. Its filters are below.") : null;
  }
  const { outdated_filters: outdated, name } = current.attributes;
  const one = (filter: (typeof outdated)[number]) => html`<li>${filter.name}: “${filter.value}”. ${filter.detail}</li>`;
  return outdated.length === 0
    ? null
    : noticeBanner("warning", html`<p>A filter of the view “${name}” is out of date:</p><ul>${outdated.map(one)}</ul>`);
}

/** The menus for columns and for saving a view, which stand above the rows of a list. */
export function viewTools(views: ListViews | null, columns: ListColumns | null): Html | null {
  if (!views) return null;
  const isPlain = searchOf(views.address) === "";
  const maySave = views.mayEdit && (!isPlain || views.views.length > 0);
  return columns || maySave ? html`${columns && columnsForm(views, columns)} ${maySave && saveForm(views)}` : null;
}

/** The saved views of a list. */
export function viewBar(views: ListViews | null): Html | null {
  if (!views) return null;
  return html`${notes(views)}<div class="view-bar">${savedViews(views)} ${updateForm(views)}</div>`;
}
