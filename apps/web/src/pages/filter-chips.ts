import { type Html, html } from "@svc/views";

/** A filter that is on, with the URL of the list without it. */
export interface FilterChip {
  readonly name: string;
  readonly value: string;
  readonly without: string;
}

/**
 * The filters that are on, each with a link that removes it; null: none. The panel of the filters stays closed.
 * `withoutAll`: URL of the list without any of them.
 */
export function filterChips(chips: readonly FilterChip[], withoutAll: string): Html | null {
  const chip = ({ name, value, without }: FilterChip) =>
    html`<li><a href="${without}"><span class="hidden">Remove the filter</span> ${name} <strong>${value}</strong> <span aria-hidden="true">×</span></a></li>`;
  if (chips.length === 0) return null;
  const clear = chips.length > 1 && html`<li class="clear"><a href="${withoutAll}">Clear all</a></li>`;
  return html`<ul class="active" aria-label="Filters that are on">${chips.map(chip)}${clear}</ul>`;
}
