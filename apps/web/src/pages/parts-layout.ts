import type { Caller } from "../access/callers.ts";
import { type Html, html } from "../http/html.ts";
import { layout, type PageOptions, type Section } from "./layout.ts";

/** A page of a section, by a name that the section's code uses. */
export type Parts<Name extends string> = readonly (readonly [name: Name, words: string, path: string])[];

export interface PartPage<Name extends string> {
  readonly title: string;
  readonly caller: Caller;
  readonly part: Name;
  readonly content: Html;
  /** What was just done. */
  readonly notice?: string | undefined;
}

/** The frame of a section of several parts: its own navigation, named by `label`, above what each page shows. */
export function partsFrame<const Name extends string>(section: Section, label: string, parts: Parts<Name>) {
  return ({ title, caller, part, content, notice }: PartPage<Name>): PageOptions => ({
    title,
    caller,
    section,
    content: html`
      <nav class="chips" aria-label="${label}">
        ${parts.map(([name, words, path]) => {
          const mark = name === part && html` aria-current="true"`;
          return html`<a href="${path}"${mark}>${words}</a>`;
        })}
      </nav>
      ${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}
      ${content}`,
  });
}

/** A page in such a frame. */
export function partsLayout<const Name extends string>(section: Section, label: string, parts: Parts<Name>) {
  const frame = partsFrame(section, label, parts);
  return (page: PartPage<Name>): Html => layout(frame(page));
}
