import { readPage } from "./read-page.ts";

const timeoutMs = 10_000;
/** Between two keystrokes of a fast typist. */
const quietMs = 150;
const listId = "palette-results";

const address = (text: string): string => `/track/search?${new URLSearchParams({ q: text })}`;

interface Palette {
  readonly dialog: HTMLDialogElement;
  readonly form: HTMLFormElement;
  /** A combobox that keeps the focus: `aria-activedescendant` names the highlighted result. */
  readonly box: HTMLInputElement;
  /** The number of results, which is no option of the list. */
  readonly count: HTMLElement;
  readonly results: HTMLElement;
}

function setAttributes(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

function makePalette(page: Document): Palette {
  const dialog = Object.assign(page.createElement("dialog"), { className: "palette" });
  dialog.setAttribute("aria-label", "Search and commands");
  const form = Object.assign(page.createElement("form"), { action: "/track/search" });
  const placeholder = "Number, reference, tag, customer or page";
  const box = page.createElement("input");
  // Escape would empty a field of the type "search" before it closes the dialog.
  Object.assign(box, { name: "q", maxLength: 100, autocomplete: "off", enterKeyHint: "go", placeholder });
  setAttributes(box, {
    ...{ role: "combobox", "aria-label": placeholder, "aria-autocomplete": "list" },
    ...{ "aria-expanded": "true", "aria-controls": listId },
  });
  const count = Object.assign(page.createElement("p"), { className: "muted" });
  count.setAttribute("role", "status");
  const results = Object.assign(page.createElement("div"), { id: listId, className: "results" });
  setAttributes(results, { role: "listbox", "aria-label": "Results" });
  form.append(box);
  dialog.append(form, count, results);
  page.body.append(dialog);
  return { dialog, form, box, count, results };
}

const optionsOf = ({ results }: Palette): HTMLElement[] => [...results.querySelectorAll<HTMLElement>("[role=option]")];

/** Shows the results of the search page as options of the combobox. */
function showResults({ count, results }: Palette, found: Element): void {
  const status = found.querySelector("[role=status]");
  count.textContent = status?.textContent ?? "";
  status?.remove();
  for (const group of found.querySelectorAll("section")) {
    const heading = group.querySelector("h2");
    setAttributes(group, { role: "group", "aria-label": heading?.textContent ?? "" });
  }
  for (const part of found.querySelectorAll("h2, ul, li")) part.setAttribute("role", "presentation");
  for (const [index, link] of [...found.querySelectorAll("a")].entries()) {
    setAttributes(link, { role: "option", id: `${listId}-${index}`, tabindex: "-1", "aria-selected": "false" });
  }
  results.replaceChildren(...found.children);
}

function highlight(palette: Palette, option: HTMLElement | undefined): void {
  for (const one of optionsOf(palette)) one.setAttribute("aria-selected", String(one === option));
  if (option) palette.box.setAttribute("aria-activedescendant", option.id);
  else palette.box.removeAttribute("aria-activedescendant");
}

const highlighted = (palette: Palette): HTMLElement | null =>
  palette.results.querySelector<HTMLElement>("[aria-selected=true]");

/** Highlights the next or previous result; after the last one comes the first. */
function move(palette: Palette, step: 1 | -1): void {
  const options = optionsOf(palette);
  const at = options.indexOf(highlighted(palette) as HTMLElement);
  const next = options.at((at + step) % options.length);
  highlight(palette, next);
  next?.scrollIntoView({ block: "nearest" });
}

/** Control-K or Command-K opens the search over the page: it shows the results of the search page while typing. */
export function openPalette(page: Document): void {
  if (!page.querySelector(".user-menu")) return;
  let palette: Palette | undefined;
  let asking: AbortController | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  /** The text of the results. */
  let shown: string | undefined;

  const show = async (made: Palette): Promise<void> => {
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    const text = made.box.value;
    try {
      const answer = await readPage(address(text), { signal: mine.signal, timeoutMs });
      const found = answer?.querySelector("[data-results]");
      if (!found) throw new Error("The response is another page.");
      showResults(made, page.adoptNode(found));
      highlight(made, optionsOf(made)[0]);
      made.dialog.scrollTop = 0;
      shown = text;
    } catch {
      // The page of the same search shows what is wrong, or asks to sign in.
      if (!mine.signal.aborted) location.assign(address(text));
    }
  };

  /** Of a text whose results are not shown yet, the first one. */
  const openHighlighted = async (made: Palette): Promise<void> => {
    clearTimeout(waiting);
    if (shown !== made.box.value) await show(made);
    highlighted(made)?.click();
  };

  const create = (): Palette => {
    const made = makePalette(page);
    made.box.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => void show(made), quietMs);
    });
    made.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void openHighlighted(made);
    });
    made.box.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        move(made, event.key === "ArrowDown" ? 1 : -1);
      }
    });
    // Only a pointer that moves: results that appear below a resting one do not take the highlight.
    made.results.addEventListener("pointermove", ({ target }) => {
      const option = target instanceof Element ? target.closest<HTMLElement>("[role=option]") : null;
      if (option && option !== highlighted(made)) highlight(made, option);
    });
    made.dialog.addEventListener("click", ({ target }) => {
      if (target === made.dialog) made.dialog.close();
    });
    return made;
  };

  page.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey || event.ctrlKey === event.metaKey) return;
    event.preventDefault();
    palette ??= create();
    if (palette.dialog.open) {
      palette.dialog.close();
      return;
    }
    palette.dialog.showModal();
    palette.box.select();
    void show(palette);
  });
}
