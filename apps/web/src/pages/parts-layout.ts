import type { MemberAction } from "@svc/domain/members";
import { type Html, type HtmlValue, html } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import type { PageOptions, Section } from "./layout.ts";
import { noticeBanner } from "./notice-banner.ts";
import { pageHead } from "./page-head.ts";
import { withWordBreaks } from "./word-breaks.ts";

/** A page of a section, identified by a name that the section's code uses. */
type Parts<Name extends string> = readonly (readonly [
  name: Name,
  label: HtmlValue,
  path: string,
  /** Action that a member must be allowed to see it, or a condition. Default: every member sees it. */
  condition?: MemberAction | ((caller: Caller) => boolean),
])[];

interface PartPage<Name extends string> {
  readonly title: string;
  readonly caller: Caller;
  readonly part: Name;
  /** Default: the title; null: the content has its own, in a card that asks one question. */
  readonly heading?: HtmlValue;
  /** Content beside the heading: buttons, or the state of the record. */
  readonly aside?: HtmlValue;
  /** The page of one record of the part, or a step with it: the path to the part is in place of the tabs. */
  readonly isOfRecord?: boolean;
  /** The record of a step: the path to the step leads through the page of it. */
  readonly record?: { readonly label: string; readonly path: string } | undefined;
  readonly content: Html;
  /** Confirms the action that led to this page. */
  readonly notice?: string | undefined;
}

/** Parts by the label of their group; a navigation without groups has one with an empty label. */
type Groups<Name extends string> = Readonly<Record<string, Parts<Name>>>;

/**
 * The layout of a section with several pages: its navigation, named by `label`, below the heading. With several groups
 * it is beside the content where there is room, and on a phone a fold-out that says which page is open.
 */
export function partsFrame<const Name extends string>(section: Section, label: string, groups: Groups<Name>) {
  const isGrouped = Object.keys(groups).length > 1;
  return (page: PartPage<Name>): PageOptions => {
    const { title, caller, part, heading = page.title, aside, isOfRecord = false, record, content, notice } = page;
    const lists = Object.entries<Parts<Name>>(groups).map(([group, parts]) => {
      const links = parts.map(([name, linkLabel, path, condition = "read"]) => {
        const isVisible = typeof condition === "string" ? may(caller, condition) : condition(caller);
        if (!isVisible) return null;
        const mark = name === part && html` aria-current="true"`;
        return html`<a href="${path}"${mark}>${linkLabel}</a>`;
      });
      return group === "" ? links : html`<div class="group"><span class="muted">${group}</span> ${links}</div>`;
    });
    const [, partLabel, partPath] =
      Object.values<Parts<Name>>(groups)
        .flat()
        .find(([name]) => name === part) ?? [];
    const recordLink = record && html`<a href="${record.path}">${withWordBreaks(record.label)}</a> / `;
    const path =
      isOfRecord &&
      html`<a href="/${section}">${label}</a> / <a href="${partPath}">${partLabel}</a> / ${recordLink}${withWordBreaks(title)}`;
    const tabs = !isGrouped && !isOfRecord && html`<nav class="chips tabs" aria-label="${label}">${lists}</nav>`;
    const head = pageHead({ heading, aside, path, tabs });
    const body = html`${head}
      ${notice !== undefined && noticeBanner("success", notice)}
      ${content}`;
    return {
      title,
      caller,
      section,
      content: isGrouped
        ? html`
        <div class="with-side">
          <details class="side-fold"><summary>${label}: <strong>${partLabel}</strong></summary>
            <nav class="side" aria-label="${label}, all pages">${lists}</nav></details>
          <nav class="side" aria-label="${label}">${lists}</nav>
          <div>${body}</div>
        </div>`
        : body,
    };
  };
}
