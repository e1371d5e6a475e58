import { type Html, html } from "@svc/views";

/** References that are shown; more are folded. */
const visibleMax = 3;

const visibleReferences = (references: readonly string[]): readonly string[] => references.slice(0, visibleMax);

/** "PO-1, PO-2, PO-3" of any number of references. */
export const firstReferences = (references: readonly string[]): string => visibleReferences(references).join(", ");

/** "PO-1, Ops Retail, PO-2, PO-3" on one line: one reference, and then the customer, so that neither is cut off. */
export function ownerLine(references: readonly string[], customer: string | null): Html | null {
  const [first, ...others] = visibleReferences(references);
  const text = [first, customer, ...others].filter(Boolean).join(", ");
  return text === "" ? null : html`<span class="muted one-line" title="${text}">${text}</span>`;
}

/**
 * "+7", which opens the references behind the first ones without a script; null: there are no more. `id`: unique in
 * the page, so that an update of the page keeps it open.
 */
export function otherReferences(references: readonly string[], id: string): Html | null {
  const others = references.slice(visibleMax);
  if (others.length === 0) return null;
  const count = others.length;
  return html`<details class="others" id="references-${id}">
    <summary aria-label="${count} more references">+${count}</summary><span>${others.join(", ")}</span></details>`;
}
