import { type Html, type HtmlValue, html } from "@svc/views";
import { noticeBanner } from "../pages/notice-banner.ts";

/** Validation problems by name of the field; "" for problems of the whole form. */
export type Problems = Readonly<Record<string, string>>;

export const hasProblems = (problems: Problems): boolean => Object.keys(problems).length > 0;

/** The first wrong field of each form, in the order in which its page renders them. */
const firstWrong = new WeakMap<Problems, string>();

/** The focus, when the page opens, for the first wrong field of a form. */
function autofocus(problems: Problems, name: string): Html | false {
  if (problems[name] === undefined) return false;
  const first = firstWrong.get(problems) ?? name;
  firstWrong.set(problems, first);
  return first === name && html` autofocus`;
}

const hasWrongField = (problems: Problems): boolean => Object.keys(problems).some((name) => name !== "");

/** HTML attributes of the control of a field: its hint and problem. `hasFocus`: unless a field is wrong. */
export function marks(
  problems: Problems,
  name: string,
  { hasHint = false, hasFocus = false }: { readonly hasHint?: boolean; readonly hasFocus?: boolean } = {},
): Html {
  const isWrong = problems[name] !== undefined;
  const described = [hasHint && `${name}-hint`, isWrong && `${name}-problem`].filter(Boolean).join(" ");
  const focus = hasFocus && !hasWrongField(problems) ? html` autofocus` : autofocus(problems, name);
  return html`${focus}${isWrong && html` aria-invalid="true"`}${
    described !== "" && html` aria-describedby="${described}"`
  }`;
}

interface LabelledOptions {
  readonly label: string;
  readonly name: string;
  readonly problems: Problems;
  readonly hint?: HtmlValue;
}

/** A control, which has the id `name` and the attributes of `marks`, with its label, hint and problem. */
export function labelled({
  label,
  name,
  problems,
  hint,
  control,
}: LabelledOptions & { readonly control: HtmlValue }): Html {
  const problem = problems[name];
  return html`
    <div class="field">
      <label for="${name}">${label}</label>
      ${control}
      ${hint && html`<p class="muted" id="${name}-hint">${hint}</p>`}
      ${problem !== undefined && html`<p class="problem" id="${name}-problem">${problem}</p>`}
    </div>`;
}

interface FieldOptions extends LabelledOptions {
  readonly value?: string | undefined;
  readonly type?: "text" | "url" | "email" | "number" | "password" | "date" | "datetime-local";
  readonly autocomplete?: string;
  readonly maxLength?: number;
  readonly isRequired?: boolean;
  /** Id of a datalist of the page, which the field suggests. */
  readonly list?: string;
  /** Whether the field has the focus when the page opens, unless another one is wrong. */
  readonly hasFocus?: boolean;
}

/** A single-line input with its label, hint and problem. */
export function field(options: FieldOptions): Html {
  const { name, value, problems, hint, type = "text", autocomplete = "off", maxLength, hasFocus = false } = options;
  const input = html`<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${
    maxLength !== undefined && html` maxlength="${maxLength}"`
  }${options.list !== undefined && html` list="${options.list}"`}${options.isRequired && html` required`}${marks(
    problems,
    name,
    { hasHint: Boolean(hint), hasFocus },
  )}>`;
  const control = type === "password" ? html`<div class="password">${input}</div>` : input;
  return labelled({ ...options, control });
}

/** A multi-line input. */
export function textArea(options: Omit<FieldOptions, "type" | "autocomplete"> & { readonly rows: number }): Html {
  const { name, value, problems, hint, rows, maxLength } = options;
  const control = html`<textarea id="${name}" name="${name}" rows="${rows}" spellcheck="false"${
    maxLength !== undefined && html` maxlength="${maxLength}"`
  }${marks(problems, name, { hasHint: Boolean(hint) })}>
${value}</textarea>`;
  return labelled({ ...options, control });
}

/** The problem of a group of choices, which has no control of its own: it has the focus in their place. */
export function groupProblem(problems: Problems, name: string): Html | null {
  const problem = problems[name];
  if (problem === undefined) return null;
  return html`<p class="problem" id="${name}" tabindex="-1"${autofocus(problems, name)}>${problem}</p>`;
}

/** The problem of the whole form, and those of its fields with links to them, above the form. */
export function formProblem(problems: Problems): Html | null {
  const { "": general, ...ofFields } = problems;
  const links = Object.entries(ofFields).map(([name, problem]) => html`<li><a href="#${name}">${problem}</a></li>`);
  if (general === undefined && links.length === 0) return null;
  const list = links.length > 0 && html`<ul class="plain">${links}</ul>`;
  return noticeBanner("error", html`${general ?? "Check these fields:"}${list}`);
}
