/** Markup that is safe to send. Only the `html` tag creates it. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const special = /[&<>"']/;

/** Appends texts instead of joining them, so that nested parts are not copied at every level. */
function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Html) return value.toString();
  if (typeof value === "object") {
    let text = "";
    for (const one of value) text += render(one);
    return text;
  }
  const text = String(value);
  return special.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character] ?? character) : text;
}

/** Every value is escaped unless it is markup itself. Attribute values must be in double quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0] ?? "";
  for (let index = 0; index < values.length; index++) text += render(values[index]) + (parts[index + 1] ?? "");
  return new Html(text);
}

/** In place of a value that is not known. The cards of lists leave out a cell that has nothing else. */
export const noValue: Html = html`<span class="muted none">–</span>`;
