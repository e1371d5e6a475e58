import { type AlertSchedule, alertFrequencies } from "@svc/domain/alerts";
import { exceptionKinds } from "@svc/domain/exceptions";
import { toDomainName } from "@svc/jsonapi";
import type { AlertSubscriptionEdit, AlertSubscriptionResource, NewAlertSubscription } from "@svc/sdk";
import { kindLabels } from "@svc/views/exceptions";
import type { Problems } from "../forms/field.ts";
import type { FormValues } from "../forms/form-values.ts";
import { codeText, type FormFields } from "../forms/merge-form.ts";
import { readerZone } from "../times/reader-zone.ts";
import { clockTime, weekdays } from "./alert-text.ts";

/** Whom an alert is sent to; `email`: the member who creates it. */
const receivers = ["email", "member", "mailbox", "slack", "teams"] as const;
type Receiver = (typeof receivers)[number];

export const isChat = (receiver: Receiver): receiver is "slack" | "teams" =>
  receiver === "slack" || receiver === "teams";

/** Submitted values, shown again when they are invalid. */
export interface AlertForm {
  readonly name: string;
  readonly channel: Receiver;
  /** E-mail address of another member. */
  readonly member: string;
  readonly mailbox: string;
  readonly url: string;
  readonly frequency: AlertSchedule["frequency"];
  readonly hour: string;
  readonly weekday: string;
  readonly timeZone: string;
  readonly kindChoice: "all" | "some";
  /** Of "some". */
  readonly kinds: readonly string[];
  /** Empty: both. */
  readonly severity: string;
  /** SCACs. */
  readonly carriers: readonly string[];
  /** Several are separated by commas. */
  readonly tags: string;
  /** One a line, because names contain commas. */
  readonly customers: string;
  /** The id of a saved view; empty: none. */
  readonly savedViewId: string;
  readonly minimumAmount: string;
  /** Empty: any currency. */
  readonly minimumAmountCurrency: string;
  readonly includesResolved: boolean;
}

/** Filters of the queue that an alert is created from, as in its URL; empty: none. */
export interface AlertOrigin {
  readonly kind: string;
  readonly carrier: string;
  readonly customer: string;
}

/** Filters of the queue that alerts do not have, by their parameters. */
export const queueFilters = {
  customer_name: "exact customer",
  port_of_discharge: "port of discharge",
  owner: "owner",
  q: "search",
} as const;

const noOrigin: AlertOrigin = { kind: "", carrier: "", customer: "" };

/** A form with these filters, named after them: "Last free day over · Kite". */
export function newForm({ kind, carrier, customer }: AlertOrigin = noOrigin): AlertForm {
  const kinds = exceptionKinds.filter((one) => one === kind);
  const name = [...kinds.map((one) => kindLabels[one]), carrier, customer].filter((text) => text !== "").join(" · ");
  return {
    name: name.slice(0, 100),
    channel: "email",
    member: "",
    mailbox: "",
    url: "",
    frequency: "at_once",
    hour: "7",
    weekday: "1",
    timeZone: readerZone() ?? "UTC",
    kindChoice: kinds.length === 0 ? "all" : "some",
    kinds,
    severity: "",
    carriers: carrier === "" ? [] : [carrier.toUpperCase()],
    customers: customer,
    tags: "",
    minimumAmount: "",
    minimumAmountCurrency: "",
    includesResolved: false,
    savedViewId: "",
  };
}

export function formOf({ attributes }: AlertSubscriptionResource): AlertForm {
  const { hour, weekday, time_zone: timeZone, minimum_amount: minimumAmount, severities } = attributes;
  const blank = newForm();
  return {
    name: attributes.name,
    channel: attributes.channel,
    frequency: attributes.frequency,
    member: attributes.member ?? "",
    mailbox: attributes.mailbox ?? "",
    url: "",
    hour: hour === null ? blank.hour : String(hour),
    weekday: weekday === null ? blank.weekday : String(weekday),
    timeZone: timeZone ?? blank.timeZone,
    kindChoice: attributes.kinds.length === 0 ? "all" : "some",
    kinds: attributes.kinds,
    severity: severities.length === 1 ? (severities[0] ?? "") : "",
    carriers: attributes.carriers,
    customers: attributes.customers.join("\n"),
    tags: attributes.tags.join(", "),
    savedViewId: attributes.saved_view_id ?? "",
    minimumAmount: minimumAmount === null ? "" : String(minimumAmount),
    minimumAmountCurrency: attributes.minimum_amount_currency ?? "",
    includesResolved: attributes.includes_resolved,
  };
}

/** Labels of the fields, as the page shows them. The address of a channel is never shown. */
export const formFields: FormFields<AlertForm> = {
  name: "Name",
  channel: "Channel",
  member: "Member",
  mailbox: "Address of the mailbox",
  url: "Address of the incoming webhook",
  frequency: { label: "When", shownAs: codeText },
  hour: { label: "Time", shownAs: (hour) => clockTime(Number(hour)) },
  weekday: { label: "Day", shownAs: (day) => weekdays[Number(day) - 1] ?? day },
  timeZone: { label: "Time zone", shownAs: codeText },
  kindChoice: { label: "Alerts of", shownAs: (value) => (value === "all" ? "all kinds" : "some kinds") },
  kinds: { label: "Kinds of exceptions", shownAs: codeText },
  severity: "Severity",
  carriers: "Carriers",
  tags: "Tags",
  customers: { label: "Customers", isList: true },
  savedViewId: { label: "Saved view", shownAs: () => "another one" },
  minimumAmount: "Minimum charge",
  minimumAmountCurrency: "Currency",
  includesResolved: "Also when an exception is resolved",
};

export function readAlertForm(values: FormValues): AlertForm {
  const kinds = [...new Set(values.all("kinds"))];
  const kindChoice = values.text("kindChoice") || (kinds.length === 0 ? "all" : "some");
  const frequency = alertFrequencies.find((one) => one === values.text("frequency")) ?? "at_once";
  return {
    name: values.text("name"),
    channel: receivers.find((one) => one === values.text("channel")) ?? "email",
    member: values.text("member"),
    mailbox: values.text("mailbox"),
    url: values.text("url"),
    frequency,
    hour: values.text("hour"),
    weekday: values.text("weekday"),
    timeZone: values.text("timeZone"),
    kindChoice: kindChoice === "some" ? "some" : "all",
    kinds,
    severity: values.text("severity"),
    carriers: values.all("carriers"),
    customers: values.text("customers"),
    tags: values.text("tags"),
    savedViewId: values.text("savedViewId"),
    minimumAmount: values.text("minimumAmount"),
    minimumAmountCurrency: values.text("minimumAmountCurrency"),
    includesResolved: values.text("includesResolved") !== "",
  };
}

const splitList = (text: string, separator = ","): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  ),
];

/**
 * The settings of the form, for the API, which validates them. Fields that do not belong to the chosen frequency or
 * channel, which a browser without styles also shows, are left out.
 */
export function settingsOf(form: AlertForm): AlertSubscriptionEdit & Required<Pick<AlertSubscriptionEdit, "name">> {
  const isDigest = form.frequency !== "at_once";
  const hasMinimum = isDigest && form.minimumAmount !== "";
  return {
    name: form.name,
    frequency: form.frequency,
    ...(isDigest && { hour: Number(form.hour), timeZone: form.timeZone }),
    ...(form.frequency === "weekly" && { weekday: Number(form.weekday) }),
    kinds: form.kindChoice === "all" ? [] : form.kinds,
    severities: form.severity === "" ? [] : [form.severity],
    carriers: form.carriers,
    customers: splitList(form.customers, "\n"),
    tags: splitList(form.tags),
    savedViewId: form.savedViewId === "" ? null : form.savedViewId,
    minimumAmount: hasMinimum ? Number(form.minimumAmount) : null,
    minimumAmountCurrency: hasMinimum && form.minimumAmountCurrency !== "" ? form.minimumAmountCurrency : null,
    includesResolved: !isDigest && form.includesResolved,
    ...(isChat(form.channel) && form.url !== "" && { webhookUrl: form.url }),
  };
}

/** @param email of the member who creates the alert. */
export function receiverOf(
  { channel, member, mailbox }: AlertForm,
  email: string,
): Pick<NewAlertSubscription, "channel" | "member" | "mailbox"> {
  if (isChat(channel)) return { channel };
  if (channel === "mailbox") return { channel: "email", mailbox };
  return { channel: "email", member: channel === "member" ? member : email };
}

/** Rejects a new alert without an address. */
export function problemsOfReceiver({ channel, url, mailbox }: AlertForm): Problems {
  if (isChat(channel) && url === "") return { url: "Enter the address that Slack or Teams shows." };
  return channel === "mailbox" && mailbox === "" ? { mailbox: "Enter an e-mail address." } : {};
}

/** Rejects only what cannot be sent to the API. */
export function problemsOfForm(form: AlertForm): Problems {
  const areCodes = form.carriers.every((code) => /^[A-Z]{2,4}$/.test(code));
  const isAmount = form.frequency === "at_once" || Number(form.minimumAmount) >= 0;
  return {
    ...(form.name === "" && { name: "Enter a name, for example “Maersk holds”." }),
    ...(form.kindChoice === "some" && form.kinds.length === 0 && { kinds: "Choose at least one kind, or all kinds." }),
    ...(!areCodes && { carriers: "Choose only carriers whose SCAC has two to four letters, such as MAEU." }),
    ...(!isAmount && { minimumAmount: "Enter an amount, or nothing." }),
  };
}

const fields: Readonly<Record<string, string>> = { webhookUrl: "url", severities: "severity" };
const ownFields: ReadonlySet<string> = new Set(Object.keys(newForm()));

/** The form's field of a pointer such as `/data/attributes/tags/0`. */
export function fieldOfPointer(pointer: string): string {
  const name = toDomainName(pointer.split("/")[3] ?? "");
  return fields[name] ?? (ownFields.has(name) ? name : "");
}
