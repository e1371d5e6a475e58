import type { ExceptionKind } from "@svc/domain/exceptions";
import type { SavedViewResource } from "@svc/sdk";
import { type Html, type HtmlValue, html } from "@svc/views";
import { kindLabels } from "@svc/views/exceptions";
import { type RecordForm, recordFormPage } from "../dashboard/record-form.ts";
import { checkbox, choice, radio } from "../forms/choices.ts";
import { carrierLabel, currencyChoices } from "../forms/code-choices.ts";
import { field, groupProblem, textArea } from "../forms/field.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import type { CarrierChoice } from "../tracking-requests/carrier-menu.ts";
import { type AlertForm, isChat } from "./alert-form.ts";
import { channelLabels, clockTime, holdKinds, type MailDelivery, weekdays } from "./alert-text.ts";

const zones: readonly string[] = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
const severities = [
  ["", "Critical and warning"],
  ["critical", "Critical"],
  ["warning", "Warning"],
] as const;
/** Kinds of exceptions by subject: by severity, the steps of one case would be apart. */
const kindGroups = {
  "Free time": ["last_free_day_soon", "last_free_day_today", "last_free_day_over", "late_appointment", "not_returned"],
  "Holds and fees": [...holdKinds, "fee"],
  Voyage: [
    "eta_delay",
    "arrival_overdue",
    "connection_at_risk",
    "missed_transshipment",
    "rollover",
    "port_of_discharge_changed",
  ],
  Tracking: ["carrier_silent", "tracking_request_waiting", "tracking_request_failed"],
} as const satisfies Readonly<Record<string, readonly ExceptionKind[]>>;
const hours = Array.from({ length: 24 }, (_, hour) => [String(hour), clockTime(hour)] as const);

export interface AlertFormPageOptions extends RecordForm<AlertForm> {
  readonly mail: MailDelivery;
  /** E-mail addresses of the other members. */
  readonly others: readonly string[];
  readonly lines: readonly CarrierChoice[];
  /** Saved views that can filter the alerts. */
  readonly views: readonly SavedViewResource[];
  /** Filters of the queue from which the member comes that alerts do not have: "port of discharge NLRTM". */
  readonly notTaken?: readonly string[];
}

/** Where the emails of this installation are, which it does not send. */
const keptNote = "by email, kept under Mail and not sent";

const webhookAddress = ({ id, problems = {} }: AlertFormPageOptions): Html =>
  field({
    label: "Address of the incoming webhook",
    name: "url",
    problems,
    hint:
      id === null
        ? "Slack and Teams show it when an incoming webhook is added to a channel. It is encrypted and not shown again."
        : "Leave empty to keep the present address, which is not shown.",
    maxLength: 2_000,
  });

const channelRadio = ({ form }: AlertFormPageOptions, value: AlertForm["channel"], label: HtmlValue): Html =>
  radio("channel", value, label, form.channel);

/** The receiver of who sends to no others. */
function ownReceiver({ caller, mail, problems = {} }: AlertFormPageOptions): Html {
  const { email } = caller.user;
  const text =
    mail === "kept"
      ? html`Emails to ${email} are kept under <a href="/account/mail">Mail</a> and not sent.`
      : html`Sent by email to ${email}.`;
  return html`<p>${text}</p>${groupProblem(problems, "channel")}`;
}

/** Texts about emails that this installation sends, or keeps. */
const mailTexts = {
  sent: {
    own: "by email",
    member: "Another member",
    mailbox: "for example that of a team",
    confirm: "It receives a request to confirm it, and no alert before that.",
  },
  kept: {
    own: keptNote,
    member: html`Another member <span class="below muted">${keptNote}</span>`,
    mailbox: `for example that of a team, ${keptNote}`,
    confirm: "A request to confirm it is kept under Mail. No alert is written before it is confirmed.",
  },
};

/** The caller, another member, or a mailbox. */
function mailChoices(options: AlertFormPageOptions, texts: (typeof mailTexts)["sent" | "kept"]): Html {
  const { caller, form, others, problems = {} } = options;
  const choose = (value: AlertForm["channel"], label: HtmlValue) => channelRadio(options, value, label);
  const member =
    others.length > 0 &&
    html`${choose("member", texts.member)}
      <div class="member-only">${choice(
        { name: "member", label: "Member", chosen: form.member, problems },
        others.map((email) => [email, email]),
      )}</div>`;
  return html`${choose("email", html`${caller.user.email} <span class="below muted">${texts.own}</span>`)} ${member}
    ${choose("mailbox", html`A mailbox <span class="below muted">${texts.mailbox}</span>`)}
    <div class="mailbox-only">${field({
      label: "Address of the mailbox",
      name: "mailbox",
      value: form.mailbox,
      problems,
      hint: texts.confirm,
      type: "email",
      maxLength: 320,
    })}</div>`;
}

/** Renders the receiver, which does not change. Only owners send to others. */
function receiver(options: AlertFormPageOptions): Html {
  const { caller, id, form, mail, problems = {} } = options;
  const address = webhookAddress(options);
  if (id !== null) {
    const to = isChat(form.channel) ? channelLabels[form.channel] : `Email to ${form.member || form.mailbox}`;
    return html`<p>Channel: <strong>${to}</strong></p>${isChat(form.channel) && address}`;
  }
  if (caller.user.role !== "owner") return ownReceiver(options);
  // Where emails are only kept, channels of a chat come first.
  return html`
    <fieldset>
      <legend>Channel</legend>
      ${groupProblem(problems, "channel")}
      ${mail === "none" && html`<p class="muted">This installation does not send email.</p>`}
      ${mail === "sent" && mailChoices(options, mailTexts.sent)}
      ${channelRadio(options, "slack", "A Slack channel")}
      ${channelRadio(options, "teams", "A Teams channel")}
      ${mail === "kept" && mailChoices(options, mailTexts.kept)}
      <div class="chat-only">${address}</div>
    </fieldset>`;
}

function schedule({ form, problems = {} }: AlertFormPageOptions): Html {
  const frequencyRadio = (value: AlertForm["frequency"], label: string, hint: string) =>
    radio("frequency", value, html`${label} <span class="below muted">${hint}</span>`, form.frequency);
  const isAlsoResolved = checkbox("includesResolved", "Also when an exception is resolved", {
    isChecked: form.includesResolved,
  });
  return html`
    <fieldset>
      <legend>When</legend>
      ${groupProblem(problems, "frequency")}
      ${frequencyRadio("at_once", "At once", "within a minute of the change")}
      ${frequencyRadio("daily", "Every day", "a digest of what is open")}
      ${frequencyRadio("weekly", "Every week", "a digest of what is open")}
      <div class="digest-only fields">
        <div class="weekly-only">${choice(
          { name: "weekday", label: "Day", chosen: form.weekday, problems },
          weekdays.map((day, index) => [String(index + 1), day]),
        )}</div>
        ${choice({ name: "hour", label: "Time", chosen: form.hour, problems }, hours)}
        ${choice(
          { name: "timeZone", label: "Time zone", chosen: form.timeZone, problems },
          [...new Set([form.timeZone, ...zones])].map((zone) => [zone, zone.replaceAll("_", " ")]),
        )}
      </div>
      <div class="at-once-only">${isAlsoResolved} ${groupProblem(problems, "includesResolved")}</div>
    </fieldset>`;
}

/** Labels of the choice, which says who places the other holds. */
const choiceLabels: Readonly<Record<ExceptionKind, HtmlValue>> = {
  ...kindLabels,
  hold: html`${kindLabels.hold} <span class="below muted">terminal, carrier, agency</span>`,
};

/** All kinds, or checkboxes for some. */
function kindsFilter({ form, problems = {} }: AlertFormPageOptions): Html {
  const chosen = new Set(form.kinds);
  const box = (kind: ExceptionKind) =>
    checkbox("kinds", choiceLabels[kind], { value: kind, isChecked: chosen.has(kind) });
  const choose = (value: AlertForm["kindChoice"], label: string) => radio("kindChoice", value, label, form.kindChoice);
  return html`
    <fieldset>
      <legend>Kinds of exceptions</legend>
      ${groupProblem(problems, "kinds")}
      ${choose("all", "All kinds")}
      ${choose("some", "Only these")}
      <div class="some-kinds">
        ${Object.entries(kindGroups).map(
          ([group, kinds]) => html`
          <p><strong>${group}</strong></p>
          <div class="fields" role="group" aria-label="${group}">
            ${kinds.map(box)}
          </div>`,
        )}
      </div>
    </fieldset>`;
}

const viewText = ({ name, list, shared }: SavedViewResource["attributes"]): string =>
  `${name} (${list === "exceptions" ? "exceptions" : "exceptions of its shipments"}${shared ? "" : ", your own view"})`;

/** The carriers by name, folded while none is chosen; a chosen one that is not offered stands first. */
function carriersFilter({ form, lines, problems = {} }: AlertFormPageOptions): Html {
  const chosen = new Set(form.carriers);
  const others = [...chosen].filter((scac) => !lines.some((line) => line.scac === scac));
  const choices = [
    ...others.map((scac) => [scac, scac] as const),
    ...lines.map((line) => [line.scac, carrierLabel(line)] as const),
  ];
  return html`
    <details class="field"${chosen.size > 0 && html` open`}>
      <summary>Carriers <span class="muted">· all, unless some are chosen</span></summary>
      ${groupProblem(problems, "carriers")}
      <div class="fields" role="group" aria-label="Carriers">
        ${choices.map(([scac, label]) =>
          checkbox("carriers", label, { value: scac, isChecked: chosen.has(scac) }),
        )}</div>
    </details>`;
}

function filter(options: AlertFormPageOptions): Html {
  const { form, views, problems = {} } = options;
  return html`
    <fieldset>
      <legend>Filter</legend>
      <div class="fields">
      ${
        (views.length > 0 || form.savedViewId !== "") &&
        choice({ name: "savedViewId", label: "Saved view", chosen: form.savedViewId, problems }, [
          ["", "No saved view"],
          ...views.map(({ id, attributes }) => [id, viewText(attributes)] as const),
        ])
      }
      ${choice({ name: "severity", label: "Severity", chosen: form.severity, problems }, severities)}
      </div>
      ${carriersFilter(options)}
      ${field({
        label: "Tags",
        name: "tags",
        value: form.tags,
        problems,
        hint: "Tags of the shipment, separated by commas. Leave empty for all shipments.",
      })}
      ${textArea({
        label: "Customers",
        name: "customers",
        value: form.customers,
        problems,
        hint: "Parts of their names, one per line. Leave empty for all customers.",
        rows: 2,
      })}
      <div class="digest-only fields">
        ${field({
          label: "Minimum charge",
          name: "minimumAmount",
          value: form.minimumAmount,
          problems,
          hint: "Of a container. Leave empty to include containers without charges.",
          type: "number",
        })}
        ${choice({ name: "minimumAmountCurrency", label: "Currency", chosen: form.minimumAmountCurrency, problems }, [
          ["", "Any currency"],
          ...currencyChoices(form.minimumAmountCurrency || "USD"),
        ])}
      </div>
    </fieldset>`;
}

/** `/account/alerts/new` and `/account/alerts/{id}/edit`. Styles hide what does not belong to the choice. */
export function alertFormPage(options: AlertFormPageOptions): Html {
  const { id, form, problems = {}, notTaken = [] } = options;
  return recordFormPage(options, {
    title: id === null ? "New alert" : "Edit alert",
    part: "alerts",
    path: "/account/alerts",
    createLabel: "Create alert",
    className: "alert-form",
    fields: html`
        ${notTaken.length > 0 && noticeBanner("warning", `Not taken over: ${notTaken.join(", ")}.`)}
        ${field({
          label: "Name",
          name: "name",
          value: form.name,
          problems,
          hint: "In the subject of its messages, for example “Maersk holds”.",
          maxLength: 100,
          isRequired: true,
        })}
        ${receiver(options)}
        ${schedule(options)}
        ${kindsFilter(options)}
        ${filter(options)}`,
  });
}
