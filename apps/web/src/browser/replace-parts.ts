import { markupWithoutAges, takeAges, textWithoutAges } from "./ages.ts";
import { replaceInHand } from "./keep-focus.ts";

export const byName = (root: ParentNode, attribute: string): Map<string, HTMLElement> =>
  new Map(
    [...root.querySelectorAll<HTMLElement>(`[${attribute}]`)].map((one) => [one.getAttribute(attribute) ?? "", one]),
  );

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isTicked = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type);

function isEdited(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    return [...control.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
  }
  return isTicked(control) ? control.checked !== control.defaultChecked : control.value !== control.defaultValue;
}

/** The attribute of a form while its response is awaited. */
export const sentForm = "data-sent";

/** Copies what the user has entered in open menus and panels, and not yet sent. */
function keepEntries(old: HTMLElement, fresh: HTMLElement): void {
  for (const details of old.querySelectorAll<HTMLDetailsElement>("details[id][open]")) {
    for (const control of details.querySelectorAll<Control>(":is(input, select, textarea)[name]")) {
      if (!isEdited(control) || control.form?.matches(`[${sentForm}]`)) continue;
      const value = isTicked(control) ? `[value="${CSS.escape(control.value)}"]` : "";
      const again = fresh.querySelector<Control>(
        `details[id="${CSS.escape(details.id)}"] ${control.localName}[name="${CSS.escape(control.name)}"]${value}`,
      );
      if (again && isTicked(again)) again.checked = (control as HTMLInputElement).checked;
      else if (again) again.value = control.value;
    }
  }
}

/** Preserves what the user has opened, closed, entered, selected, scrolled or focused. */
function replaceWith(fresh: HTMLElement, old: HTMLElement): void {
  for (const details of old.querySelectorAll<HTMLDetailsElement>("details[id]")) {
    const again = fresh.querySelector<HTMLDetailsElement>(`details[id="${CSS.escape(details.id)}"]`);
    if (again) again.open = details.open;
  }
  keepEntries(old, fresh);
  const picked = new Set([...old.querySelectorAll<HTMLInputElement>(".pick:checked")].map(({ value }) => value));
  for (const checkbox of fresh.querySelectorAll<HTMLInputElement>(".pick[name]"))
    checkbox.checked = picked.has(checkbox.value);
  const scrolled = [...old.querySelectorAll(".many")].map((list) => list.scrollTop);
  replaceInHand(old, fresh);
  for (const [index, list] of [...fresh.querySelectorAll(".many")].entries()) list.scrollTop = scrolled[index] ?? 0;
}

const values = "dd, td, th, li, p, strong, time:not([data-age]), .status, .tag";
const justChanged = "just-changed";

/**
 * Marks the values whose text a part did not have before; of nested ones the innermost, and none of a message or the
 * caption of a map.
 */
function markChanges(old: HTMLElement, fresh: HTMLElement): void {
  const before = new Set([...old.querySelectorAll<HTMLElement>(values)].map(textWithoutAges));
  for (const value of fresh.querySelectorAll<HTMLElement>(values)) {
    if (value.querySelector(values) || value.closest(".notice, figcaption")) continue;
    if (!before.has(textWithoutAges(value))) value.classList.add(justChanged);
  }
}

/** Marks are not in the responses: with them, a part would differ from the next one. */
function removeMarks(live: HTMLElement): void {
  for (const value of live.querySelectorAll(`.${justChanged}`)) {
    value.classList.remove(justChanged);
    if (value.classList.length === 0) value.removeAttribute("class");
  }
}

/** Replaces the parts of a live page, or of its header, that differ in another response of it. */
export function replaceParts(live: HTMLElement, fresh: HTMLElement): void {
  removeMarks(live);
  const parts = byName(live, "data-part");
  for (const [name, part] of byName(fresh, "data-part")) {
    const old = parts.get(name);
    if (!old) continue;
    if (markupWithoutAges(old) === markupWithoutAges(part)) {
      takeAges(old, part);
      continue;
    }
    const adopted = document.adoptNode(part);
    markChanges(old, adopted);
    replaceWith(adopted, old);
  }
}

/** Replaces the parts of the header, which has the count of open exceptions. */
export function replaceHeader(page: Document, freshPage: Document): void {
  const [header, fresh] = [page, freshPage].map((one) => one.querySelector("header"));
  if (header && fresh) replaceParts(header, fresh);
}
