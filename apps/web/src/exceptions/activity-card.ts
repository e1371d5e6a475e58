import { type Instant, instant } from "@svc/domain";
import { toWireName } from "@svc/jsonapi";
import type { AuditEventResource, ExceptionResource } from "@svc/sdk";
import { dayMark, eventLabel, type Html, html, shortTimeText, sourceLabels } from "@svc/views";
import { kindLabel } from "@svc/views/exceptions";
import { actorText } from "../audit-events/audit-page.ts";
import { type ChangeContext, otherLabels, otherValue, valueText } from "../containers/change-table.ts";
import { noteMarkup } from "../notes/note-markup.ts";
import type { ChangeRecord, ContainerRecord, ShipmentRecord } from "../shipments/api-records.ts";
import { containerFacts, pickupFacts, zoneAtPort } from "../shipments/container-facts.ts";
import { changeRuns, feeGrowthText } from "./change-runs.ts";
import { resolutionLabel } from "./exception-labels.ts";
import { activityMax, type StoredActivity } from "./read-activity.ts";

export interface ActivityOptions {
  readonly now: Instant;
  readonly exception: ExceptionResource;
  readonly shipment: ShipmentRecord | null;
  readonly container: ContainerRecord | null;
  /** Email addresses of the members. */
  readonly members: readonly string[];
  readonly activity: StoredActivity;
}

interface Entry {
  readonly at: Instant;
  readonly by: Html | string;
  readonly what: readonly (Html | string)[];
  /** The change of a value that it is about; null: it is about something else. */
  readonly change: ChangeRecord | null;
}

const entryOf = (at: Instant, by: Html | string, what: Entry["what"]): Entry => ({ at, by, what, change: null });

/** Actor of changes by the rules. */
const byService = "Automatic";

type Changes = AuditEventResource["attributes"]["changes"];

const changeOf = (changes: Changes, name: string) => {
  const change = changes[name];
  return change && "to" in change ? change : null;
};

const timeOf = (value: unknown): Instant | null => (typeof value === "string" ? instant(value) : null);

function ownerText(to: unknown, owners: StoredActivity["owners"]): string {
  if (typeof to !== "string") return "Without an owner";
  return `Assigned to ${owners.get(to) ?? "a former member"}`;
}

/** Returns what one event of the audit log did to the exception. */
function describeEvent({ changes, created_at: at }: AuditEventResource["attributes"], options: ActivityOptions) {
  const [owner, snooze, resolved, note] = ["owner_user_id", "snoozed_until", "resolved_at", "note"].map((name) =>
    changeOf(changes, name),
  );
  const until = snooze && timeOf(snooze.to);
  const wasSnoozed = snooze != null && String(snooze.from) > at;
  return [
    ...(resolved ? [resolved.to === null ? "Reopened" : "Resolved"] : []),
    ...(owner ? [ownerText(owner.to, options.activity.owners)] : []),
    ...(until ? [`Snoozed until ${shortTimeText(until)}`] : []),
    ...(snooze && !until && wasSnoozed ? ["Snooze ended"] : []),
    ...(note
      ? [
          typeof note.to === "string"
            ? html`<div class="remark note">Note: ${noteMarkup(note.to, options.members)}</div>`
            : "Note removed",
        ]
      : []),
  ];
}

/** Snoozes that lasted until their time: of the audit log, and the last one. */
function endedSnoozes({ exception, activity, now }: ActivityOptions): Entry[] {
  const { snoozed_until: last, resolved_at: resolved } = exception.attributes;
  const replaced = activity.events.flatMap(({ attributes }) => {
    const from = timeOf(changeOf(attributes.changes, "snoozed_until")?.from);
    return from !== null && from <= attributes.created_at ? [from] : [];
  });
  const isOver = last !== null && last <= (resolved ?? now);
  return [...replaced, ...(isOver ? [instant(last)] : [])].map((at) => entryOf(at, byService, ["Snooze ended"]));
}

/** How the changed value is called, and how it is written. */
function changeTexts({ field }: ChangeRecord, { container, shipment, now }: ActivityOptions) {
  const context: ChangeContext | null = container &&
    shipment && {
      container,
      zone: zoneAtPort(container, shipment),
      factsOf: (one) => [...pickupFacts(one, shipment, now), ...containerFacts(one)],
    };
  const zone = shipment?.portOfDischarge?.timeZone ?? null;
  const text = (one: unknown) => {
    if (context) return valueText(context, field, one);
    return one == null ? "–" : otherValue(field, one, zone);
  };
  const label =
    context?.factsOf(context.container).find((one) => one.field === field)?.term ??
    (container === null && field === "podEtaAt" ? "ETA" : (otherLabels[field] ?? eventLabel(toWireName(field))));
  return { label, text };
}

function changeEntry(change: ChangeRecord, options: ActivityOptions): Entry {
  const { label, text } = changeTexts(change, options);
  const what = [html`<span class="muted">${label}</span> ${text(change.previousValue)} → ${text(change.value)}`];
  return { at: change.validFrom, by: sourceLabels[change.dataSource], what, change };
}

/** Names another step of the case of an exception, with its number if it is of the same kind, and links to its page. */
export const stepLink = ({ id, attributes: { kind, number } }: ExceptionResource, current: ExceptionResource): Html =>
  html`<a href="/attention/${id}">${kindLabel(kind)}${kind === current.attributes.kind && ` of ${number}`}</a>`;

const continued = (previous: ExceptionResource, exception: ExceptionResource): Html => {
  const { owner } = previous.attributes;
  return html`Follows: ${stepLink(previous, exception)}${owner !== null && `, owned by ${owner}`}`;
};

function entriesOf(options: ActivityOptions): readonly Entry[] {
  const { exception, activity } = options;
  const { opened_at: opened, ended_at: ended, resolution, kind } = exception.attributes;
  const events = activity.events.map(({ attributes }) =>
    entryOf(instant(attributes.created_at), actorText(attributes), describeEvent(attributes, options)),
  );
  const reason = resolutionLabel(resolution === null || resolution === "by_member" ? "cleared" : resolution);
  const text = resolution === "by_member" ? reason : `Resolved: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  const { previous, next } = activity;
  const ends = next.length === 0 ? [text] : next.map((one) => html`Superseded by ${stepLink(one, exception)}`);
  const end = ended === null ? [] : [entryOf(instant(ended), byService, ends)];
  const later = [
    ...events,
    ...endedSnoozes(options),
    ...activity.changes.map((one) => changeEntry(one, options)),
    ...end,
  ]
    .filter(({ what }) => what.length > 0)
    .toSorted((one, other) => (one.at < other.at ? 1 : -1));
  const opening = [`Opened: ${kindLabel(kind)}`, ...previous.map((one) => continued(one, exception))];
  return [...later, entryOf(instant(opened), byService, opening)];
}

const entryItem = ({ at, by, what }: Entry): Html => html`
  <li><span class="muted"><time datetime="${at}">${shortTimeText(at)}</time> · ${by}</span>
    ${what.map((one) => html`<div>${one}</div>`)}</li>`;

/** Changes of one value in a row as one entry, which unfolds to the single ones. The newest first. */
function runItem(run: readonly Entry[], options: ActivityOptions): Html {
  const changes = run.flatMap(({ change }) => change ?? []);
  const [newest, oldest] = [changes[0], changes.at(-1)];
  if (newest === undefined || oldest === undefined) return html`${run.map(entryItem)}`;
  const { label, text } = changeTexts(newest, options);
  const days = `${dayMark(Date.parse(oldest.validFrom), null)} – ${dayMark(Date.parse(newest.validFrom), null)}`;
  const summary =
    feeGrowthText(changes) ??
    html`<span class="muted">${label}</span> ${text(oldest.previousValue)} → ${text(newest.value)}`;
  return html`
    <li><span class="muted">${days} · ${sourceLabels[newest.dataSource]}</span>
      <div>${summary}</div>
      <details class="run"><summary>${changes.length} changes</summary>
        <ol class="plain">${run.map(entryItem)}</ol></details></li>`;
}

/**
 * Renders the history of the exception, the newest first: by the rules, in the reports, and by members. `form`: of the
 * note; null: without one.
 */
export function activityCard(options: ActivityOptions, form: Html | null): Html {
  const items = changeRuns(entriesOf(options)).map((run) =>
    run.length === 1 ? run.map(entryItem) : runItem(run, options),
  );
  return html`
    <section class="card" aria-labelledby="activity"><h2 id="activity">Activity</h2>
      ${form}
      <ol class="plain activity">${items}</ol>
      ${
        options.activity.hasMoreEvents &&
        html`<p class="muted">Only the newest ${activityMax} changes by members are shown.</p>`
      }</section>`;
}
