import { countText } from "@svc/domain";

const listId = "member-suggestions";
const suggestionsMax = 6;

/** The part of a mention before the caret, as packages/domain/src/notes reads mentions. */
const mentionPattern = /(?<![\p{L}\p{N}._%+@-])@([\p{L}\p{N}._%+@-]*)$/u;

interface Suggestions {
  readonly list: HTMLElement;
  /** How many there are, for screen readers. */
  readonly status: HTMLElement;
}

function createSuggestions(page: Document): Suggestions {
  const list = Object.assign(page.createElement("ul"), { id: listId, className: "menu suggestions" });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Members");
  const status = Object.assign(page.createElement("p"), { className: "hidden" });
  status.setAttribute("role", "status");
  return { list, status };
}

/** Members whose address begins with the text, before those that contain it. */
function matching(emails: readonly string[], input: string): string[] {
  const text = input.toLowerCase();
  const found = emails.filter((email) => email.toLowerCase().includes(text));
  const begins = (email: string): boolean => email.toLowerCase().startsWith(text);
  const sorted = [...found.filter(begins), ...found.filter((email) => !begins(email))].slice(0, suggestionsMax);
  return sorted.length === 1 && sorted[0]?.toLowerCase() === text ? [] : sorted;
}

/**
 * Suggests members after an `@` in the field of a note. The field keeps the focus: `aria-activedescendant` names the
 * highlighted member of the listbox.
 */
export function suggestMembers(page: Document): void {
  let open: { readonly box: HTMLTextAreaElement; readonly from: number } | null = null;
  let suggestions: Suggestions | undefined;

  const highlighted = () => suggestions?.list.querySelector<HTMLElement>("[aria-selected=true]") ?? null;

  const highlight = (option: Element | null | undefined): void => {
    for (const one of suggestions?.list.children ?? []) one.setAttribute("aria-selected", String(one === option));
    if (!open || !option) return;
    open.box.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  };

  const close = (): void => {
    open?.box.removeAttribute("aria-activedescendant");
    open?.box.removeAttribute("aria-controls");
    open = null;
    if (!suggestions) return;
    suggestions.list.remove();
    suggestions.status.textContent = "";
  };

  const choose = (option: HTMLElement): void => {
    if (!open) return;
    const { box, from } = open;
    box.setRangeText(`@${option.textContent} `, from, box.selectionEnd, "end");
    close();
  };

  const show = (box: HTMLTextAreaElement, found: readonly string[], from: number): void => {
    suggestions ??= createSuggestions(page);
    const { list, status } = suggestions;
    if (list.previousElementSibling !== box) box.after(list);
    if (!status.isConnected) box.form?.append(status);
    list.replaceChildren(
      ...found.map((email, index) => {
        const option = Object.assign(page.createElement("li"), { id: `${listId}-${index}`, textContent: email });
        option.setAttribute("role", "option");
        return option;
      }),
    );
    status.textContent = countText(found.length, "member");
    open = { box, from };
    box.setAttribute("aria-autocomplete", "list");
    box.setAttribute("aria-controls", listId);
    highlight(list.firstElementChild);
  };

  const suggest = (box: HTMLTextAreaElement): void => {
    const members = page.querySelector<HTMLDataListElement>(`datalist[data-mentions-of="${CSS.escape(box.id)}"]`);
    if (!members) return;
    const [mention, input] = mentionPattern.exec(box.value.slice(0, box.selectionStart)) ?? [];
    const emails = [...members.options].map(({ value }) => value);
    const found = mention === undefined || input === undefined ? [] : matching(emails, input);
    if (mention === undefined || found.length === 0) close();
    else show(box, found, box.selectionStart - mention.length);
  };

  const actions: Readonly<Record<string, (list: HTMLElement) => void>> = {
    ArrowDown: (list) => highlight(highlighted()?.nextElementSibling ?? list.firstElementChild),
    ArrowUp: (list) => highlight(highlighted()?.previousElementSibling ?? list.lastElementChild),
    Enter: () => {
      const option = highlighted();
      if (option) choose(option);
    },
    Escape: close,
  };

  page.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLTextAreaElement) suggest(target);
  });
  page.addEventListener(
    "keydown",
    (event) => {
      const act = actions[event.key];
      if (!open || !suggestions || !act || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      act(suggestions.list);
    },
    { capture: true },
  );
  // The caret moved, by keys or by pointer.
  page.addEventListener("selectionchange", () => {
    if (open) suggest(open.box);
  });
  // The field keeps the focus while a member is chosen by pointer.
  page.addEventListener("mousedown", (event) => {
    if (event.target instanceof Element && event.target.closest(`#${listId}`)) event.preventDefault();
  });
  page.addEventListener("click", ({ target }) => {
    const option = target instanceof Element ? target.closest<HTMLElement>(`#${listId} [role=option]`) : null;
    if (option) choose(option);
  });
  page.addEventListener("focusout", ({ target }) => {
    if (target === open?.box) close();
  });
}
