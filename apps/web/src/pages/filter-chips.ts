import { type Html, html } from "@svc/views";

/** A filter that is on, with the URL of the list without it. */
export interface FilterChip {
  readonly name: string;
  readonly value: string;
  readonly without: string;
}

/** The filters that are on, each with a link that removes it; null: none. The panel of the filters stays closed. */
export function filterChips(chips: readonly FilterChip[]): Html | null {
  const chip = ({ name, value, without }: FilterChip) =>
    html`<li><a href="${without}"><span class="hidden">Remove the filter</span> ${name}: ${value} <span aria-hidden="true">×</span></a></li>`;
  return chips.length === 0 ? null : html`<ul class="active" aria-label="Filters that are on">${chips.map(chip)}</ul>`;
}
