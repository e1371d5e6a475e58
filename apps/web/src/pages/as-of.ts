import { type Instant, readInstant } from "@svc/domain";
import { type Html, html, shortTimeText } from "@svc/views";
import type { Request } from "express";
import { queryText } from "../http/read-request.ts";
import { noticeBanner } from "./notice-banner.ts";

/** The time of a page, from its address. */
export interface AsOfTime {
  /** Null: now. */
  readonly asOf: Instant | null;
  /** Why the page shows the current state although a time was given. */
  readonly problem: string | null;
  /** What was entered, where it was refused. */
  readonly refused?: string;
}

const inputLengthMax = 30;

const quotedLengthMax = 40;
/** A time in UTC, as the form has it. */
const withoutZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/;

/** `?as_of=`: a date or a time, without a zone in UTC. */
export function readAsOf(request: Request, now: Instant): AsOfTime {
  const input = queryText(request, "as_of").trim();
  if (input === "") return { asOf: null, problem: null };
  const refused = input.slice(0, inputLengthMax).toWellFormed();
  const asOf = readInstant(withoutZone.test(input) ? `${input.replace(" ", "T")}Z` : input);
  if (asOf === null) {
    const problem = `“${input.slice(0, quotedLengthMax).toWellFormed()}” is not a date. Write it as 2026-11-25 or 2026-11-25 10:00.`;
    return { asOf: null, problem, refused };
  }
  return asOf > now
    ? { asOf: null, problem: "That time is in the future; the page shows the current state.", refused }
    : { asOf, problem: null };
}

/** The page shows the present state, because its record was not tracked yet at the requested time. */
export const notTrackedYet = (asOf: Instant): AsOfTime => ({
  asOf: null,
  problem: `Not tracked yet on ${shortTimeText(asOf)}; the page shows the current state.`,
  refused: inputValue(asOf),
});

/** The address of the page. */
export interface AsOfLinks {
  readonly path: string;
  /** The other parameters of the page. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface AsOfControl extends AsOfTime, AsOfLinks {
  /** When what is known changed, oldest first. */
  readonly changeTimes: readonly Instant[];
}

function pathAt({ path, parameters }: AsOfLinks, asOf: Instant | null): string {
  const query = new URLSearchParams({ ...parameters, ...(asOf === null ? {} : { as_of: asOf }) });
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The changes before and after the state that is shown. `next` null: the present. */
function neighbours({ asOf, changeTimes }: AsOfControl) {
  const position = asOf === null ? changeTimes.length - 1 : changeTimes.findLastIndex((at) => at <= asOf);
  return {
    previous: changeTimes[position - 1] ?? null,
    next: asOf === null ? null : (changeTimes[position + 1] ?? null),
  };
}

function slider(control: AsOfControl): Html | null {
  const { changeTimes, asOf } = control;
  if (changeTimes.length < 2) return null;
  const index =
    asOf === null
      ? changeTimes.length
      : Math.max(
          0,
          changeTimes.findLastIndex((at) => at <= asOf),
        );
  return html`
    <div class="slider" data-change-times="${changeTimes.join(" ")}"
      data-change-labels="${changeTimes.map(shortTimeText).join("|")}" hidden>
      <label for="as-of-slider">Last change</label>
      <input id="as-of-slider" type="range" min="0" max="${changeTimes.length}" value="${index}" autocomplete="off">
      <output for="as-of-slider"></output>
    </div>`;
}

/** "2026-03-02 09:00": the same on every computer, unlike a control in the language of the browser. */
const inputValue = (asOf: Instant | null): string => asOf?.slice(0, 16).replace("T", " ") ?? "";

function form(control: AsOfControl): Html {
  const { path, parameters, asOf, refused } = control;
  const { previous, next } = neighbours(control);
  return html`
    <form class="as-of-form" action="${path}" aria-label="View history">
      ${Object.entries(parameters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      <label for="as-of">View as of (UTC)</label>
      <input id="as-of" name="as_of" value="${refused ?? inputValue(asOf)}" placeholder="2026-03-02 09:00"
        maxlength="${inputLengthMax}" size="18" required>
      <button class="quiet">View</button>
      ${previous && html`<a href="${pathAt(control, previous)}">← Previous change</a>`}
      ${next && html`<a href="${pathAt(control, next)}">Next change →</a>`}
    </form>
    ${slider(control)}`;
}

/** The main action of a page at an earlier time. */
export const backToCurrent = (links: AsOfLinks): Html =>
  html`<a class="button" href="${pathAt(links, null)}">Back to current</a>`;

/** Shows the record as it was known at a time: a form, links from change to change, and with the script a slider. */
export function asOfControl(control: AsOfControl): Html {
  const { asOf, problem } = control;
  const notice = problem !== null && noticeBanner("error", problem);
  if (asOf === null) {
    return html`${notice}<details class="as-of"${problem !== null && html` open`}>
      <summary>View history</summary>${form(control)}</details>`;
  }
  return html`
    <section class="notice is-warning as-of" aria-label="Earlier state">
      <p><strong>As known on <time datetime="${asOf}">${shortTimeText(asOf)}</time>.</strong>
        Reports received later are not included.</p>
      ${form(control)}
    </section>`;
}
