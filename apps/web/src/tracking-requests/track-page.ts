import { normalizeContainerNumber } from "@svc/domain/identifiers";
import type { InferredNumber } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { checkbox } from "../forms/choices.ts";
import { formProblem, hasProblems, labelled, marks, type Problems } from "../forms/field.ts";
import { layout } from "../pages/layout.ts";
import { type LivePage, livePage } from "../pages/live-page.ts";
import { noticeBanner } from "../pages/notice-banner.ts";
import { pageHead } from "../pages/page-head.ts";
import type { CarrierMenu } from "./carrier-menu.ts";
import { carrierAndType, carrierOptions, tagsAndCustomer } from "./request-fields.ts";
import { alreadyTrackedWith, type TrackedShipment } from "./tracked-containers.ts";

export interface TrackForm {
  readonly number: string;
  /** "auto" or a type of request. */
  readonly type: string;
  /** SCAC; empty: detected from the number. */
  readonly carrier: string;
  readonly references: string;
  readonly tags: string;
  /** Name of the customer; empty: none. */
  readonly customer: string;
  /** Id of a failed request that this one replaces; empty: none. */
  readonly replaces: string;
  /** Number of that request, when this one corrects it; empty: the number is the same, or nothing is replaced. */
  readonly corrects: string;
}

export const emptyTrackForm: TrackForm = {
  number: "",
  type: "auto",
  carrier: "",
  references: "",
  tags: "",
  customer: "",
  replaces: "",
  corrects: "",
};

export interface TrackPageOptions {
  readonly caller: Caller;
  readonly carriers: CarrierMenu;
  readonly customerNames: readonly string[];
  readonly form: TrackForm;
  readonly problems: Problems;
  /** The detected carriers and type of the number, once it was checked. */
  readonly inferred: InferredNumber | null;
  /** A shipment that is tracked now and has the container of the number; null: none has. */
  readonly trackedWith: TrackedShipment | null;
  /** The member has chosen to track the container in a shipment of its own. */
  readonly isSeparate: boolean;
  /** The number is tracked already. */
  readonly isDuplicate: boolean;
  /** Several carriers may have the number: one is to be confirmed. */
  readonly isQuestion: boolean;
  /** The corresponding API requests. */
  readonly commands: Html;
}

/** The last member: what a member must be allowed to do. */
const ways = [
  ["one", "One number", "/track", "track"],
  ["many", "Many numbers", "/track/bulk", "track"],
  ["file", "Events from a file", "/track/import", "track"],
  ["edi", "EDI files", "/track/edi", "read"],
  ["all", "All requests", "/tracking-requests", "read"],
] as const;

interface TrackingFrame {
  readonly title: string;
  readonly caller: Caller;
  readonly way: (typeof ways)[number][0];
  readonly content: Html;
  readonly events?: string | null;
  readonly isPending?: boolean;
  readonly opens?: string | null;
}

function framed({ title, caller, way, content }: TrackingFrame): Html {
  const link = ([name, label, path, action]: (typeof ways)[number]) =>
    may(caller, action) && html`<a href="${path}"${name === way && html` aria-current="true"`}>${label}</a>`;
  return html`
    ${pageHead({
      heading: title,
      tabs: html`<nav class="chips tabs" aria-label="Ways to track">${ways.map(link)}</nav>`,
    })}
    ${content}`;
}

/** The layout of the pages that create tracking requests. */
export function trackingLayout(frame: TrackingFrame): Html {
  return layout({ title: frame.title, caller: frame.caller, content: framed(frame) });
}

/** Layout of pages that update while they are open. */
export function liveTrackingLayout(frame: TrackingFrame): LivePage {
  const { title, caller, events = null, isPending = false, opens = null } = frame;
  return livePage({ title, caller, events, isPending, opens, content: framed(frame) });
}

/** Shown in words: the confidences of several candidates are independent and do not add up to 100 %. */
const likely = 0.7;
const certainty = (confidence: number): string => {
  if (confidence >= 0.95) return "certain match";
  return confidence >= likely ? "likely match" : "possible match";
};

const isCandidate = ({ data }: InferredNumber, scac: string): boolean =>
  data.attributes.shipping_line.candidates.some((candidate) => candidate.scac === scac);

/** The choice among the candidates that none of them is the carrier. */
export const anotherCarrier = "another";

/** The candidate carriers of the number, most likely first. */
function candidateChoice(
  inferred: InferredNumber,
  {
    form,
    carriers: { unconnected },
    caller,
    problems,
  }: Pick<TrackPageOptions, "form" | "carriers" | "caller" | "problems">,
): Html {
  const { validation, shipping_line: detected, number_type: kind } = inferred.data.attributes;
  const isOther = problems.carrier !== undefined || (form.carrier !== "" && !isCandidate(inferred, form.carrier));
  const chosen = isOther ? "" : form.carrier || detected.selected?.scac || "";
  const connect = (scac: string, name: string) =>
    may(caller, "connect_carriers") &&
    html` <a href="/carriers/connect?scac=${scac}" aria-label="Connect ${name}">Connect</a>`;
  const candidate = ({ scac, name, confidence }: (typeof detected.candidates)[number]) => html`
    <div class="candidate"><label class="choice">
      <input type="radio" name="candidate" value="${scac}"${scac === chosen && html` checked`}>
      <span>${name} <span class="muted">${scac} · ${certainty(confidence)}</span></span></label>
      ${unconnected.has(scac) && html`<span class="warning">Not connected.${connect(scac, name)}</span>`}</div>`;
  return html`
    <fieldset class="card" id="candidates">
      <legend>Detected number</legend>
      <p>${kind === "container" ? "A container number" : "A bill of lading or booking number"}, read as
        <span class="number">${validation.parsed_number}</span>.</p>
      ${validation.reason && noticeBanner("warning", validation.reason)}
      ${
        detected.candidates.length === 0
          ? html`<p class="muted">No carrier detected. Choose one below, or let the service query the likely ones.</p>`
          : html`${detected.candidates.map(candidate)}
            <label class="choice">
              <input type="radio" name="candidate" value="${anotherCarrier}"${chosen === "" && html` checked`}>
              <span>Another carrier</span></label>`
      }
    </fieldset>`;
}

/** Whether the number has a likely carrier, and only that was entered. */
function isLikely(inferred: InferredNumber | null, form: TrackForm): boolean {
  const confidence = inferred?.data.attributes.shipping_line.candidates[0]?.confidence ?? 0;
  const isOther = inferred !== null && form.carrier !== "" && !isCandidate(inferred, form.carrier);
  return confidence >= likely && !isOther && form.references + form.tags + form.customer === "" && form.type === "auto";
}

/** `GET /track?number=`: a form to track one number, with an optional step that detects its carrier. */
export function trackPage(options: TrackPageOptions): Html {
  const { caller, carriers, customerNames, form, problems, inferred, isDuplicate, isQuestion, commands } = options;
  const { trackedWith, isSeparate } = options;
  const isCorrection = form.corrects !== "" && form.replaces !== "";
  const lines =
    inferred && inferred.data.attributes.shipping_line.candidates.length > 0
      ? carrierOptions(carriers, isCandidate(inferred, form.carrier) ? "" : form.carrier, "Choose a carrier")
      : carrierOptions(carriers, form.carrier);
  // Confirming a likely carrier is enough: the other fields are one click away, unless one has a value or a problem.
  const isFolded =
    isLikely(inferred, form) &&
    ["carrier", "type", "references", "tags", "customer"].every((name) => problems[name] === undefined);
  const fields = html`
    ${carrierAndType({ form, problems, carrierLabel: inferred ? "Other carrier" : "Carrier", lines })}
    ${labelled({
      name: "references",
      label: "References (optional)",
      problems,
      hint: "Your own references, separated by commas.",
      control: html`<input id="references" name="references" value="${form.references}"${marks(problems, "references", { hasHint: true })}>`,
    })}
    ${tagsAndCustomer({ form, problems, customerNames })}`;
  // The next step, which the keyboard reaches without the fields before it.
  const isChecked = inferred !== null && !isCorrection && !hasProblems(problems);
  const shipmentPath = `/shipments/find?q=${encodeURIComponent(form.number)}`;
  return trackingLayout({
    title: isCorrection ? "Correct the number" : "Track a number",
    caller,
    way: "one",
    content: html`
      ${formProblem(problems)}
      ${isQuestion && noticeBanner("neutral", "Confirm the carrier below, then press Track.")}
      ${
        isDuplicate &&
        noticeBanner(
          "neutral",
          html`Already tracked. <a href="${shipmentPath}">Show what is tracked under this number</a>`,
        )
      }
      ${trackedWith && noticeBanner("warning", alreadyTrackedWith(form.number, trackedWith))}
      <form class="card form" method="post" action="/track">
        ${form.replaces !== "" && html`<input type="hidden" name="replaces" value="${form.replaces}">`}
        ${
          isCorrection &&
          html`<input type="hidden" name="corrects" value="${form.corrects}">
          <p>This request replaces the failed one for <span class="number">${form.corrects}</span>.</p>`
        }
        ${labelled({
          name: "number",
          label: "Number",
          problems,
          hint: "Bill of lading, booking or container number, as it stands on the document.",
          control: html`<div class="search">
            <input id="number" name="number" value="${form.number}" required maxlength="100"
              autocapitalize="characters" spellcheck="false"
              ${marks(problems, "number", { hasHint: true, hasFocus: isCorrection })}>
            <button class="quiet" formmethod="get" formaction="/track" formnovalidate>Check</button></div>`,
        })}
        ${inferred && candidateChoice(inferred, options)}
        ${!isFolded && fields}
        ${
          trackedWith &&
          checkbox("separately", "Track it separately anyway", {
            value: normalizeContainerNumber(form.number),
            isChecked: isSeparate,
          })
        }
        ${isFolded && html`<details><summary>More options</summary>${fields}</details>`}
        <button${isChecked && html` autofocus`}>Track</button>
      </form>
      ${commands}`,
  });
}
