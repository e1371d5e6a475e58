const isText = (element: Element | null): element is HTMLInputElement =>
  element instanceof HTMLInputElement && /^(search|text)$/.test(element.type);

/** What the reader's hands are on, as it was when what takes its place was asked for. */
export interface Hands {
  readonly focused: Element | null;
  readonly typed: string;
}

export function handsOn(old: Element): Hands {
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  return { focused, typed: isText(focused) ? focused.value : "" };
}

const sameKind = (one: Element, other: Element): boolean =>
  one.className === other.className && (!one.matches("button, summary") || one.textContent === other.textContent);

/** The same element in what takes the place of `old`: by its id, where it leads, whose summary it is, or which of its kind it is. */
function counterpart(focused: Element, old: ParentNode, fresh: ParentNode): HTMLElement | null {
  const [href, details] = [focused.getAttribute("href"), focused.matches("summary") ? focused.parentElement?.id : ""];
  if (focused.id) return fresh.querySelector(`#${CSS.escape(focused.id)}`);
  if (details) return fresh.querySelector(`#${CSS.escape(details)} > summary`);
  if (href !== null) return fresh.querySelector(`a[href="${CSS.escape(href)}"]`);
  const like = (root: ParentNode) =>
    [...root.querySelectorAll<HTMLElement>(focused.localName)].filter((one) => sameKind(one, focused));
  return like(fresh)[like(old).indexOf(focused as HTMLElement)] ?? null;
}

/** Puts `fresh` in place of `old`. What has the focus keeps it, with what is selected in it and was typed since `before`. */
export function replaceInHand(old: HTMLElement, fresh: HTMLElement, before: Hands = handsOn(old)): void {
  const { focused } = handsOn(old);
  const again = focused && counterpart(focused, old, fresh);
  const selection = isText(focused) && ([focused.selectionStart, focused.selectionEnd] as const);
  old.replaceWith(fresh);
  again?.focus({ preventScroll: true });
  if (!selection || !isText(focused) || !isText(again)) return;
  if (focused !== before.focused || focused.value !== before.typed) again.value = focused.value;
  if (again.value === focused.value) again.setSelectionRange(...selection);
}
