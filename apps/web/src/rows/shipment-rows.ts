import { countText } from "@svc/domain";
import { isUuid } from "@svc/domain/identifiers";
import { type Client, withEntityTag } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { containersPath, readContainerQuery } from "../containers/list-query.ts";
import { findCustomer, unknownCustomer } from "../customers/customer-names.ts";
import type { FormValues } from "../forms/form-values.ts";
import { nullIfNotFound } from "../http/find-record.ts";
import type { FormHandler } from "../http/handler.ts";
import { localPath } from "../http/local-path.ts";
import { sendPage } from "../http/send-page.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { readText } from "../saved-views/view-parameters.ts";
import { listPath, readListQuery } from "../shipments/list-query.ts";
import { refreshShipment } from "../shipments/refresh.ts";
import { readStopTimes, stopTracking, undoForm, undoStop } from "../shipments/undo-stop.ts";
import { applyToRows, rowsMax } from "./apply-to-rows.ts";
import { rowsButton, rowsForm } from "./rows-form.ts";
import { rowsResultPage } from "./rows-result-page.ts";

/** Actions on selected shipments: text of the outcome, label of the button, and rest of its name. */
const actions = {
  add_tag: ["tagged", "Add tag", ""],
  remove_tag: ["without the tag", "Remove tag", ""],
  set_customer: ["with the customer", "Set customer", ""],
  refresh: ["refreshed", "Refresh", "now"],
  stop: ["no longer tracked", "Stop", "tracking"],
  resume: ["tracked again", "Resume", "tracking"],
  undo_stop: ["tracked again", "Undo", ""],
} as const satisfies Readonly<Record<string, readonly [done: string, label: string, rest: string]>>;

type Action = keyof typeof actions;

/** A shipment whose tracking was stopped at that time. */
interface Stopped {
  readonly id: string;
  readonly at: string;
}

/** Ids of stopped shipments in a URL, each with a separator. */
const stoppedLongest = rowsMax * 37;

const parseAction = (text: string): Action | null => (Object.hasOwn(actions, text) ? (text as Action) : null);

export const mayChangeRows = (caller: Caller): boolean => may(caller, "edit_records") && may(caller, "track");

/** The bar of a list whose rows are shipments, or containers of shipments. `back`: the URL of the list. */
export function shipmentRowsForm(back: string, recordKind: "shipments" | "containers"): Html {
  const button = (action: Action) => {
    const [, label, rest] = actions[action];
    return rowsButton(action, label, rest);
  };
  return rowsForm(
    "/shipments/rows",
    back,
    html`
      ${recordKind === "containers" && html`<span class="muted">Their shipments:</span>`}
      <label class="hidden" for="rows-tag">Tag</label>
      <input id="rows-tag" name="tag" maxlength="50" placeholder="Tag" autocomplete="off">
      ${button("add_tag")}${button("remove_tag")}
      <label class="hidden" for="rows-customer">Customer</label>
      <input id="rows-customer" name="customer" maxlength="200" placeholder="Customer" autocomplete="off"
        list="customers">
      ${button("set_customer")}
      ${button("refresh")}${button("stop")}${button("resume")}`,
  );
}

/** "3 shipments tagged." */
const doneText = (action: Action, count: number): string => `${countText(count, "shipment")} ${actions[action][0]}.`;

/** The parameters that say what was just done: `stopped` names the shipments that were not stopped before. */
function doneParameters(action: Action, count: number, stopped: readonly Stopped[]): URLSearchParams {
  const times = stopped.map(({ at }) => at).toSorted();
  const [from, to] = [times[0], times.at(-1)];
  return new URLSearchParams({
    done: action,
    count: String(count),
    ...(from !== undefined && to !== undefined && { from, to, stopped: stopped.map(({ id }) => id).join("_") }),
  });
}

/** Renders a button that undoes a stop of rows that the URL names; null: it names none. */
function undoStopForm(query: Readonly<Record<string, unknown>>, back: string): Html | null {
  const times = readStopTimes({ text: (name) => readText(query[name], 30) });
  const ids = readText(query.stopped, stoppedLongest).split("_").filter(isUuid);
  if (times === null || ids.length === 0) return null;
  const fields = html`<input type="hidden" name="back" value="${back}">
    ${ids.map((id) => html`<input type="hidden" name="id" value="${id}">`)}`;
  return undoForm("/shipments/rows", "undo_stop", times, fields);
}

/**
 * Renders the outcome named by `?done=` and `?count=` of a list, with a button that undoes a stop; null: nothing was
 * just done. `back`: the URL of the list.
 */
export function rowsNote(query: Readonly<Record<string, unknown>>, back: string): Html | null {
  const action = parseAction(String(query.done));
  const count = String(query.count);
  if (action === null || !/^\d{1,3}$/.test(count)) return null;
  const undo = action === "stop" && undoStopForm(query, back);
  return noticeBanner("success", html`<p>${doneText(action, Number(count))}</p>${undo}`, "toast");
}

async function changeTags(api: Client, id: string, change: (tags: readonly string[]) => readonly string[]) {
  const { read, entityTag } = await withEntityTag((options) => api.shipments.get(id, { include: [], ...options }));
  await api.shipments.update(id, { tags: change(read.data.attributes.tags) }, { ifMatch: entityTag });
}

/** Sets a customer that exists: a mistyped name creates none. Returns why it cannot. */
function setCustomer(api: Client, name: string): (id: string) => Promise<unknown> {
  if (name === "") return () => Promise.resolve("Enter a customer.");
  const found = findCustomer(api, name);
  return async (id) => {
    const customerId = await found;
    if (customerId === null) return unknownCustomer(name);
    return api.shipments.update(id, { customerId });
  };
}

function change(api: Client, action: Action, form: FormValues, stopped: Stopped[]): (id: string) => Promise<unknown> {
  const tag = form.text("tag").normalize("NFC");
  const times = readStopTimes(form);
  switch (action) {
    case "add_tag":
      if (tag === "") return () => Promise.resolve("Enter a tag.");
      return (id) => changeTags(api, id, (tags) => [...new Set([...tags, tag])]);
    case "remove_tag":
      if (tag === "") return () => Promise.resolve("Enter a tag.");
      return (id) => changeTags(api, id, (tags) => tags.filter((one) => one !== tag));
    case "set_customer":
      return setCustomer(api, form.text("customer").trim().normalize("NFC"));
    case "refresh":
      return (id) => refreshShipment(api, id);
    case "stop":
      return async (id) => {
        const at = await stopTracking(api, id);
        if (at !== null) stopped.push({ id, at });
      };
    case "resume":
      return (id) => api.shipments.resumeTracking(id);
    case "undo_stop":
      return async (id) => (times === null ? "Nothing was stopped." : undoStop(api, id, times));
  }
}

/** The URL of the list of shipments or of containers that the form is on. */
function backTo(text: string): { readonly path: string; readonly section: "shipments" | "containers" } {
  const { pathname, searchParams } = new URL(localPath(text, "/shipments"), "http://localhost");
  const query = Object.fromEntries(searchParams);
  if (pathname === "/containers") {
    const containers = readContainerQuery(query);
    return { path: containersPath(containers, { page: containers.page }), section: "containers" };
  }
  const shipments = readListQuery(query);
  return { path: listPath(shipments, { from: shipments.from }), section: "shipments" };
}

/** `POST /shipments/rows`: changes the selected shipments, each by requests of its own. */
export const changeShipmentRows: FormHandler = async (_request, response, caller, values) => {
  const { api } = caller;
  const { path, section } = backTo(values.text("back"));
  const ids = values.all("id");
  const submitted = parseAction(values.text("action"));
  // Enter in either field submits the first button.
  const setsCustomer = submitted === "add_tag" && values.text("tag") === "" && values.text("customer") !== "";
  const action = setsCustomer ? "set_customer" : submitted;
  if (action === null || ids.length === 0) return response.redirect(303, path);
  const stopped: Stopped[] = [];
  const results = await applyToRows(ids, change(api, action, values, stopped));
  // Those that were stopped before are not counted.
  const changedCount = action === "stop" ? stopped.length : results.done.length;
  if (results.failed.length === 0) {
    const done = doneParameters(action, changedCount, stopped);
    return response.redirect(303, `${path}${path.includes("?") ? "&" : "?"}${done}`);
  }
  const failed = results.failed.map(({ id }) => nullIfNotFound(api.shipments.get(id, { include: [] })));
  const found = (await Promise.all(failed)).filter((one) => one !== null);
  const names = new Map(found.map(({ data }) => [data.id, data.attributes.bill_of_lading_number]));
  const done = doneText(action, changedCount);
  sendPage(response, 422, rowsResultPage({ caller, section, results, names, done, back: path }));
};
