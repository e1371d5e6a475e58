import type { Instant } from "@svc/domain";
import { type CarrierResource, fieldsToAsk } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { field, formProblem, type Problems, textArea } from "../forms/field.ts";
import { fact } from "../pages/fact.ts";
import { layout } from "../pages/layout.ts";
import { moreActions } from "../pages/menu.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { pageHead } from "../pages/page-head.ts";
import { questionCard } from "../pages/question-card.ts";
import { relativeTimestamp } from "../pages/timestamps.ts";
import { type CarrierRecord, isTerminalOperator, isUnverified } from "./carrier-records.ts";
import { awaitedNotice } from "./carriers-page.ts";
import { budgetUsed, connectionBadge, connectionHealth } from "./connection-labels.ts";

type Choice = CarrierResource["attributes"]["credential_choices"][number];

export interface CarrierPageOptions {
  readonly caller: Caller;
  readonly now: Instant;
  readonly carrier: CarrierRecord;
  readonly notice: string | undefined;
  /** Whether tracking requests wait for its connection. */
  readonly isAwaited?: boolean;
  readonly problems: Problems;
  /** Label of the choice whose form was rejected. */
  readonly rejectedChoice?: string;
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function credentialField(
  { name, label, where, secret, multiline }: Choice["fields"][number],
  problems: Problems,
): Html {
  const common = { label, name, problems, hint: capitalized(where), isRequired: true };
  if (multiline) return textArea({ ...common, rows: 4, maxLength: 20_000 });
  const [type, autocomplete] = secret ? (["password", "new-password"] as const) : (["text", "off"] as const);
  return field({ ...common, type, autocomplete, maxLength: 2_000 });
}

/** Credentials are never filled in again, neither after a problem nor for a change. */
function choiceForm({ carrier, problems, rejectedChoice }: CarrierPageOptions, choice: Choice): Html {
  const { scac, name, entry, connection } = carrier;
  const own = rejectedChoice === choice.label ? problems : {};
  const isOnly = entry?.credential_choices.length === 1;
  const verb = connection === null ? "Connect" : "Replace credentials";
  const use = choice.kind === "oauth2_private_key_jwt" ? "The key only signs." : `Sent only to ${name}.`;
  return html`
    <form class="card form" method="post" action="/carriers/${scac}" aria-label="${verb}: ${choice.label}">
      <h2>${isOnly ? verb : `${verb}: ${choice.label}`}</h2>
      ${formProblem(own)}
      <input type="hidden" name="choice" value="${choice.label}">
      ${fieldsToAsk(choice).map((credential) => credentialField(credential, own))}
      <p class="muted">Stored encrypted and never shown again. ${use}</p>
      <p class="actions"><button>${connection === null ? "Connect and test" : "Replace and test"}</button></p>
    </form>`;
}

/** The outcome of the last test call. */
function testOutcome({ scac, connection }: CarrierRecord, nowMs: number): Html {
  if (connection?.attributes.is_test_running) {
    return html`A test is running. <a href="/carriers/${scac}">Show its outcome</a>`;
  }
  const test = connection?.attributes.last_test ?? null;
  if (test === null) return html`<span class="muted">These credentials have not been tested.</span>`;
  const status = test.http_status === null ? "" : `, status ${test.http_status}`;
  const [tone, text] = test.succeeded ? ["early", "The credentials work."] : ["late", "The test failed."];
  return html`
    <span class="${tone}">${text}</span>
    <p>${test.explanation}</p>
    <p class="muted">Tested ${relativeTimestamp(test.tested_at, nowMs)}, ${test.duration_ms} ms${status},
      <code>${test.code}</code></p>`;
}

function healthCard({ carrier, now }: CarrierPageOptions): Html | null {
  const { connection } = carrier;
  if (connection === null) return null;
  const { attributes } = connection;
  const { active, is_paused: isPaused, rejections_count: rejections, failures_count: failures } = attributes;
  const unread = attributes.skipped_events_count;
  const nowMs = Date.parse(now);
  const polling = isPaused ? "Paused after failures or a rate limit" : "On";
  return html`
    <section class="card" aria-label="Health">
      <h2>Health</h2>
      <dl>
        <div class="whole-fact"><dt>Test call</dt><dd>${testOutcome(carrier, nowMs)}
          <p class="muted" id="test-hint">A test sends one harmless query and takes up to 20 seconds.</p></dd></div>
        ${fact("Last request", connectionHealth(attributes, nowMs))}
        ${fact("Requests today (UTC)", budgetUsed(carrier))}
        ${fact("Rejected credentials (in total)", String(rejections))}
        ${fact("Failed requests (in total)", String(failures))}
        ${fact("Polling", active ? polling : "Off")}
        ${unread > 0 && fact("Values without a known meaning", String(unread))}
      </dl>
    </section>`;
}

/** The state of the connection and, for a member who may change it, its actions. */
function headActions({ caller, carrier }: CarrierPageOptions): Html {
  const { scac, connection } = carrier;
  const badge = connectionBadge(carrier);
  if (connection === null || !may(caller, "connect_carriers")) return badge;
  const { active, status } = connection.attributes;
  const testClass = status !== "untested" && html` class="quiet"`;
  return html`${badge}
    <div class="actions">
      <form method="post" action="/carriers/${scac}/test">
        <button${testClass} aria-describedby="test-hint">Test connection</button></form>
      <form method="post" action="/carriers/${scac}/state">
        <button class="quiet" name="active" value="${String(!active)}">${active ? "Disable" : "Enable"}</button></form>
      ${moreActions(html`<a class="danger" href="/carriers/${scac}/disconnect">Disconnect</a>`)}
    </div>`;
}

function factsCard(carrier: CarrierRecord): Html | null {
  const { name, entry } = carrier;
  if (entry === null) return null;
  const list = (title: string, texts: readonly string[]) =>
    texts.length > 0 && html`<h3>${title}</h3><ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
  return html`
    <section class="card" aria-label="About ${name}">
      <h2>About ${name}</h2>
      ${
        isTerminalOperator(carrier) &&
        html`
          <p>A terminal operator: reports availability, holds, fees, last free day, appointment and yard location of
            containers from the day before their arrival until they are picked up.</p>
          <h3>Terminals</h3>
          <ul>
            ${entry.terminals.map(({ name: terminal, locodes }) => html`<li>${terminal}, ${locodes.join(", ")}</li>`)}
          </ul>`
      }
      <p>Credentials come from <a href="${entry.portal_url}" rel="noreferrer">${entry.portal_url}</a>.</p>
      ${list("Terms", entry.terms)}
      ${list(isTerminalOperator(carrier) ? "Notes" : "Deviations from the standard", entry.notes)}
      <p class="muted">${
        isUnverified(carrier)
          ? "Not verified: built from the carrier's public documentation, not yet tested with a live account."
          : "Verified: a request with your credentials has succeeded."
      }</p>
    </section>`;
}

/** One form for each kind of credentials that the carrier accepts; null: it is not in the catalogue. */
const credentialForms = (options: CarrierPageOptions): readonly Html[] | null =>
  options.carrier.entry?.credential_choices.map((choice) => choiceForm(options, choice)) ?? null;

/** Renders what the operator has to do before the carrier can be polled; null: nothing. */
const addressNotice = ({ name, entry }: CarrierRecord): Html | null =>
  entry?.has_address === false
    ? noticeBanner(
        "warning",
        html`${name} gives each customer its own address. The operator of this service configures it in
          <code>SVC_CARRIERS</code> before ${name} can be polled.`,
      )
    : null;

/** `GET /carriers/{scac}`: connect the carrier, test the connection, see its health. */
export function carrierPage(options: CarrierPageOptions): Html {
  const { caller, carrier, notice } = options;
  const { scac, name, connection } = carrier;
  const forms = credentialForms(options);
  const isRejected = options.rejectedChoice !== undefined || connection?.attributes.status === "rejected";
  const isOpen = isRejected && html` open`;
  const credentialSection =
    connection !== null && forms
      ? html`<details${isOpen}><summary>Replace the credentials</summary>${forms}</details>`
      : forms;
  return layout({
    title: name,
    caller,
    section: "carriers",
    content: html`
      ${pageHead({
        heading: html`${name} <span class="number muted">${scac}</span>`,
        aside: headActions(options),
        path: html`<a href="/carriers">Carriers</a> / ${name}`,
      })}
      ${notice && noticeBanner("success", notice)}
      ${options.isAwaited && awaitedNotice(carrier)}
      ${addressNotice(carrier)}
      <div class="columns">
        <div class="stack">
          ${healthCard(options)}
          ${may(caller, "connect_carriers") && credentialSection}
        </div>
        <div class="stack">${factsCard(carrier)}</div>
      </div>`,
  });
}

/** `GET /carriers/{scac}/disconnect`. */
export function disconnectPage(caller: Caller, carrier: CarrierRecord): Html {
  const { scac, name } = carrier;
  const withoutCredentials = isTerminalOperator(carrier)
    ? "Your containers keep what it reported, and it is not polled any more."
    : "Your numbers stay tracked, but no data arrives until the carrier is connected again.";
  const rest = carrier.isServiceConnected
    ? "Your numbers are then polled with the credentials of the operator."
    : withoutCredentials;
  return layout({
    title: `Disconnect ${name}?`,
    caller,
    section: "carriers",
    content: questionCard({
      heading: `Disconnect ${name}?`,
      content: html`<p>The stored credentials are erased. ${rest}</p>`,
      action: `/carriers/${scac}/disconnect`,
      button: "Disconnect",
      cancelPath: `/carriers/${scac}`,
    }),
  });
}
