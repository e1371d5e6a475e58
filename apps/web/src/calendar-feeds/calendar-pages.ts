import { type CalendarFeed, calendarFeedsMax } from "@svc/persistence/calendar-feeds";
import type { SavedViewResource } from "@svc/sdk";
import { actionsColumn, type Html, html, listTable } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { accountLayout } from "../account/account-layout.ts";
import { choice } from "../forms/choices.ts";
import { field, formProblem, type Problems } from "../forms/field.ts";
import { questionCard } from "../pages/question-card.ts";
import { secretOnce } from "../pages/secret-once.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { daysAfter, daysBefore } from "./feed-events.ts";

export const calendarPath = "/account/calendar";

export interface CalendarForm {
  /** Id of the feed to be created, so that submitting the form twice creates one. */
  readonly id: string;
  readonly name: string;
  readonly viewId: string;
}

const listLabels = { shipments: "shipments", containers: "containers", exceptions: "exceptions" } as const;

function contentText({ viewName, isViewVisible }: CalendarFeed): Html {
  if (isViewVisible) return html`${viewName ?? "All shipments"}`;
  return html`${viewName} <span class="late">no longer shared with you, so the calendar is empty</span>`;
}

function row(feed: CalendarFeed): Html {
  const { id, name, lastReadAt, renewedAt } = feed;
  return html`
    <tr>
      <th scope="row" data-label="Name">${name}</th>
      <td data-label="Shows">${contentText(feed)}</td>
      <td data-label="Last read">${relativeTimestamp(lastReadAt)}</td>
      <td data-label="Address since">${relativeTimestamp(renewedAt)}</td>
      <td><div class="row-actions">
        <a href="${calendarPath}/${id}/renew" aria-label="Renew address of ${name}">Renew address</a>
        <a class="danger" href="${calendarPath}/${id}/delete" aria-label="Delete ${name}">Delete</a>
      </div></td>
    </tr>`;
}

function createForm(form: CalendarForm, views: readonly SavedViewResource[], problems: Problems): Html {
  const options = views.map(({ id, attributes: { name, list } }) => [id, `${name} (${listLabels[list]})`] as const);
  return html`
    <form class="card form" method="post" action="${calendarPath}">
      <h2>New calendar</h2>
      ${formProblem(problems)}
      <input type="hidden" name="id" value="${form.id}">
      ${field({
        label: "Name",
        name: "name",
        value: form.name,
        problems,
        hint: "As your calendar shows it.",
        maxLength: 100,
        isRequired: true,
      })}
      ${choice(
        {
          name: "view",
          label: "Shows",
          chosen: form.viewId,
          problems,
          hint: "A saved view of shipments or containers limits the calendar to its records.",
        },
        [["", "All shipments of the account"], ...options],
      )}
      <p><button>Create calendar</button></p>
    </form>`;
}

/** `GET /account/calendar`: the calendar feeds of the member. */
export function calendarPage(options: {
  readonly caller: Caller;
  readonly feeds: readonly CalendarFeed[];
  /** Views that a feed can be limited to. */
  readonly views: readonly SavedViewResource[];
  readonly form: CalendarForm;
  readonly problems: Problems;
  readonly notice: string | undefined;
}): Html {
  const { caller, feeds, views, form, problems, notice } = options;
  const table = listTable({
    className: "names",
    caption: "Calendars, the oldest first",
    columns: ["Name", "Shows", "Last read", "Address since", actionsColumn],
    rows: feeds.map(row),
  });
  return accountLayout({
    title: "Calendar",
    caller,
    part: "calendar",
    notice,
    content: html`
      <p>Subscribe to arrivals and last free days in Google Calendar, Outlook, Apple Calendar or any other iCalendar
        program: the last ${daysBefore} and the next ${daysAfter} days, updated every hour to once a day.</p>
      ${feeds.length > 0 && table}
      ${
        feeds.length < calendarFeedsMax
          ? createForm(form, views, problems)
          : html`<p class="muted">These are the ${calendarFeedsMax} calendars that a member may have.</p>`
      }`,
  });
}

const questions = {
  renew: {
    verb: "Renew address of",
    effect: "The current address stops working. Subscribe again with the new one.",
    button: "Renew address",
  },
  delete: {
    verb: "Delete",
    effect: "The calendar disappears from programs that subscribe to it.",
    button: "Delete calendar",
  },
} as const;

/** `GET /account/calendar/:id/renew` and `/delete`: asks before the address of the calendar ends. */
export function calendarQuestionPage(caller: Caller, { id, name }: CalendarFeed, step: keyof typeof questions): Html {
  const { verb, effect, button } = questions[step];
  return accountLayout({
    title: `${verb} ${name}`,
    caller,
    part: "calendar",
    heading: null,
    content: questionCard({
      heading: `${verb} “${name}”?`,
      content: html`<p>${effect}</p>`,
      action: `${calendarPath}/${id}/${step}`,
      button,
      cancelPath: calendarPath,
    }),
  });
}

function subscribing(address: string): Html {
  const webcal = address.replace(/^https?:/, "webcal:");
  return html`
    <section class="card">
      <h2>Subscribe</h2>
      <h3>Apple Calendar</h3>
      <p><a class="button" href="${webcal}">Open in the calendar of this device</a></p>
      <p>Or in Calendar: File, New Calendar Subscription, and paste the address. Set Auto-refresh to every hour.</p>
      <h3>Google Calendar</h3>
      <p>On a computer: Other calendars, the plus sign, From URL. Paste the address and choose Add calendar. Google
        reads it up to once a day, and the address must be reachable from the internet.</p>
      <h3>Outlook</h3>
      <p>On outlook.com or in the new Outlook: Calendar, Add calendar, Subscribe from web. Paste the address, enter a
        name and choose Import. In classic Outlook: Add Calendar, From Internet.</p>
    </section>`;
}

/** The response to the form itself: a page with its own address would require storing the secret. */
export function createdCalendarPage(caller: Caller, address: string): Html {
  return accountLayout({
    title: "Calendar address",
    caller,
    part: "calendar",
    content: html`
      ${secretOnce({
        label: "The address of the calendar",
        value: address,
        note: "Anyone who has it can read the calendar. Renew or delete it when it was given away.",
      })}
      ${subscribing(address)}
      <p><a class="button" href="${calendarPath}">I have copied it</a></p>`,
  });
}
