import { type Html, html } from "@svc/views";
import { noticeBox } from "../pages/notice-box.ts";

/** Validation problems by name of the field; "" for problems of the whole form. */
export type Problems = Readonly<Record<string, string>>;

interface FieldOptions {
  readonly label: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly problems: Problems;
  readonly hint?: string | Html;
  readonly type?: "text" | "url" | "email" | "number" | "password" | "date" | "datetime-local";
  readonly autocomplete?: string;
  readonly maxLength?: number;
  readonly isRequired?: boolean;
  /** Whether the field has the focus when the page opens. */
  readonly hasFocus?: boolean;
}

const described = (name: string, problem: string | undefined, hint: FieldOptions["hint"]): string =>
  [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(" ");

/** A single-line input with its label, hint and problem. */
export function field(options: FieldOptions): Html {
  const { label, name, value, problems, hint, type = "text", autocomplete = "off", maxLength } = options;
  const problem = problems[name];
  const describedBy = described(name, problem, hint);
  const input = html`<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${
    maxLength !== undefined && html` maxlength="${maxLength}"`
  }${options.isRequired && html` required`}${options.hasFocus && html` autofocus`}${problem !== undefined && html` aria-invalid="true"`}${
    describedBy !== "" && html` aria-describedby="${describedBy}"`
  }>`;
  return html`
    <div class="field">
      <label for="${name}">${label}</label>
      ${hint && html`<p class="muted" id="${name}-hint">${hint}</p>`}
      ${type === "password" ? html`<div class="password">${input}</div>` : input}
      ${fieldProblem(problems, name)}
    </div>`;
}

/** A multi-line input. */
export function textArea(options: Omit<FieldOptions, "type" | "autocomplete"> & { readonly rows: number }): Html {
  const { label, name, value, problems, hint, rows, maxLength } = options;
  const problem = problems[name];
  const describedBy = described(name, problem, hint);
  return html`
    <div class="field">
      <label for="${name}">${label}</label>
      ${hint && html`<p class="muted" id="${name}-hint">${hint}</p>`}
      <textarea id="${name}" name="${name}" rows="${rows}" spellcheck="false"${
        maxLength !== undefined && html` maxlength="${maxLength}"`
      }${problem !== undefined && html` aria-invalid="true"`}${
        describedBy !== "" && html` aria-describedby="${describedBy}"`
      }>
${value}</textarea>
      ${fieldProblem(problems, name)}
    </div>`;
}

export function fieldProblem(problems: Problems, name: string): Html | null {
  const problem = problems[name];
  return problem === undefined ? null : html`<p class="problem" id="${name}-problem">${problem}</p>`;
}

/** The problem of the whole form, shown above it. */
export function formProblem(problems: Problems): Html | null {
  const general = problems[""];
  if (general === undefined && Object.keys(problems).length === 0) return null;
  return noticeBox("error", general ?? "Not saved yet: see below what is missing.");
}
