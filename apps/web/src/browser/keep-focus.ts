const isText = (element: Element | null): element is HTMLInputElement =>
  element instanceof HTMLInputElement && /^(search|text)$/.test(element.type);

/** The focused element and its text at the time when the replacement was requested. */
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

/** The element of `fresh` that corresponds to `focused`: by id, by details element, by link target, or by position. */
function counterpart(focused: Element, old: ParentNode, fresh: ParentNode): HTMLElement | null {
  const [href, details] = [focused.getAttribute("href"), focused.matches("summary") ? focused.parentElement?.id : ""];
  if (focused.id) return fresh.querySelector(`#${CSS.escape(focused.id)}`);
  if (details) return fresh.querySelector(`#${CSS.escape(details)} > summary`);
  if (href !== null) return fresh.querySelector(`a[href="${CSS.escape(href)}"]`);
  const like = (root: ParentNode) =>
    [...root.querySelectorAll<HTMLElement>(focused.localName)].filter((one) => sameKind(one, focused));
  return like(fresh)[like(old).indexOf(focused as HTMLElement)] ?? null;
}

/** Replaces `old` by `fresh` and preserves the focus, the selection, and text that was typed since `before`. */
export function replaceInHand(old: HTMLElement, fresh: HTMLElement, before: Hands = handsOn(old)): void {
  const { focused } = handsOn(old);
  const again = focused && counterpart(focused, old, fresh);
  const selection = isText(focused) && ([focused.selectionStart, focused.selectionEnd] as const);
  old.replaceWith(fresh);
  // A closed panel has it no longer in view, as that of filters after they are applied. A fold that a wide window shows
  // without its summary is closed, too.
  const summary = () => again?.closest("details:not([open])")?.querySelector<HTMLElement>(":scope > summary");
  const visible = again?.checkVisibility() ? again : summary();
  visible?.focus({ preventScroll: true });
  if (!selection || !isText(focused) || !isText(again)) return;
  if (focused !== before.focused || focused.value !== before.typed) again.value = focused.value;
  if (again.value === focused.value) again.setSelectionRange(...selection);
}
