import { type Html, type HtmlValue, html } from "@svc/views";

export interface MenuOptions {
  /** Id of the element, which stays open when the part of the page around it is replaced. */
  readonly id: string;
  readonly label: HtmlValue;
  /** Label for screen readers, where `label` alone is too short. */
  readonly ariaLabel?: string;
  /** Additional classes, separated by spaces. */
  readonly className?: string;
  /** Whether it is open when the page is shown. */
  readonly isOpen?: boolean;
  /** Groups of entries, or a form with the class `menu`. */
  readonly content: HtmlValue;
}

/** A button that opens a menu over the page: a fold-out that works without a script (browser/close-menus.ts). */
export const menu = ({ id, label, ariaLabel, className, isOpen, content }: MenuOptions): Html => html`
  <details class="popover${className && ` ${className}`}" id="${id}" data-closes${isOpen && html` open`}>
    <summary${ariaLabel && html` aria-label="${ariaLabel}"`}>${label}</summary>
    ${content}
  </details>`;

/** Links and buttons of a menu, one per line. */
export const menuEntries = (entries: HtmlValue, heading: string | null = null): Html =>
  html`<div class="menu-entries">${heading && html`<p class="muted">${heading}</p>`}${entries}</div>`;

/** The actions of a record that are not needed often, behind "…". */
export const moreActions = (entries: HtmlValue): Html =>
  menu({
    id: "more-actions",
    label: "…",
    ariaLabel: "More actions",
    className: "row-menu",
    content: html`<div class="menu">${menuEntries(entries)}</div>`,
  });
