import { readPage } from "./read-page.ts";

const timeoutMs = 10_000;
/** Debounce time: longer than between two keystrokes of a fast typist. */
const quietMs = 150;

/** URL of the page of a search. */
export const searchAddress = (text: string): string => `/track/search?${new URLSearchParams({ q: text })}`;

/** A combobox that keeps the focus: `aria-activedescendant` names the highlighted result. */
export interface Combobox {
  readonly box: HTMLInputElement;
  /** The number of results, which is no option of the list. */
  readonly count: HTMLElement;
  /** A listbox. */
  readonly results: HTMLElement;
}

function setAttributes(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

/** Makes a text field a combobox with a list of results. `id`: of the list. */
export function createCombobox(box: HTMLInputElement, id: string): Combobox {
  const page = box.ownerDocument;
  // Escape would empty a field of the type "search" before it closes the results.
  Object.assign(box, { type: "text", maxLength: 100, autocomplete: "off", enterKeyHint: "go" });
  setAttributes(box, { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": id });
  const count = Object.assign(page.createElement("p"), { className: "muted" });
  count.setAttribute("role", "status");
  const results = Object.assign(page.createElement("div"), { id, className: "results" });
  setAttributes(results, { role: "listbox", "aria-label": "Results" });
  return { box, count, results };
}

const optionsOf = ({ results }: Combobox): HTMLElement[] => [...results.querySelectorAll<HTMLElement>("[role=option]")];

/** Shows the results of the search page as options of the combobox. */
function showResults({ count, results }: Combobox, found: Element): void {
  const status = found.querySelector("[role=status]");
  count.textContent = status?.textContent ?? "";
  status?.remove();
  for (const group of found.querySelectorAll("section")) {
    const heading = group.querySelector("h2");
    setAttributes(group, { role: "group", "aria-label": heading?.textContent ?? "" });
  }
  for (const part of found.querySelectorAll("h2, ul, li")) part.setAttribute("role", "presentation");
  for (const [index, link] of [...found.querySelectorAll("a")].entries()) {
    const id = `${results.id}-${index}`;
    setAttributes(link, { role: "option", id, tabindex: "-1", "aria-selected": "false" });
  }
  results.replaceChildren(...found.children);
}

export function highlight(combobox: Combobox, option: HTMLElement | undefined): void {
  for (const one of optionsOf(combobox)) one.setAttribute("aria-selected", String(one === option));
  if (option) combobox.box.setAttribute("aria-activedescendant", option.id);
  else combobox.box.removeAttribute("aria-activedescendant");
}

export const highlighted = ({ results }: Combobox): HTMLElement | null =>
  results.querySelector<HTMLElement>("[aria-selected=true]");

/** Highlights the next or previous result; after the last one comes the first. */
function move(combobox: Combobox, step: 1 | -1): void {
  const options = optionsOf(combobox);
  const at = options.indexOf(highlighted(combobox) as HTMLElement);
  const from = at < 0 && step < 0 ? 0 : at;
  const next = options.at((from + step) % options.length);
  highlight(combobox, next);
  next?.scrollIntoView({ block: "nearest" });
}

export interface LiveResults {
  /** Reads and shows the results of the text now. */
  readonly show: () => Promise<void>;
  /** Waits no longer for a pause of typing, and ignores results that are being read. */
  readonly cancel: () => void;
  /** The text of the results; undefined: none are shown. */
  readonly shown: () => string | undefined;
}

/** Shows results while typing. Arrow keys and a pointer that moves highlight one of them. */
export function showWhileTyping(
  combobox: Combobox,
  on: { readonly results: () => void; readonly failure: (text: string) => void },
): LiveResults {
  const { box, results } = combobox;
  let inFlight: AbortController | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let displayedText: string | undefined;
  /** The address of the result that the arrow keys highlighted since the last input. */
  let chosen: string | null = null;

  const cancel = (): void => {
    clearTimeout(waiting);
    inFlight?.abort();
  };
  const show = async (): Promise<void> => {
    cancel();
    const controller = new AbortController();
    inFlight = controller;
    const text = box.value;
    try {
      const resultsPage = await readPage(searchAddress(text), { signal: controller.signal, timeoutMs });
      const found = resultsPage?.querySelector("[data-results]");
      if (!found) throw new Error("The response is another page.");
      showResults(combobox, box.ownerDocument.adoptNode(found));
      highlight(combobox, undefined);
      displayedText = text;
      on.results();
      // Results that arrive late do not take the highlight from the one that was chosen meanwhile.
      const same = optionsOf(combobox).find((option) => option.getAttribute("href") === chosen);
      if (same) highlight(combobox, same);
    } catch {
      if (!controller.signal.aborted) on.failure(text);
    }
  };

  box.addEventListener("input", () => {
    chosen = null;
    clearTimeout(waiting);
    waiting = setTimeout(() => void show(), quietMs);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(combobox, event.key === "ArrowDown" ? 1 : -1);
      chosen = highlighted(combobox)?.getAttribute("href") ?? null;
    }
  });
  // Only a pointer that moves: results that appear below a resting one do not take the highlight.
  results.addEventListener("pointermove", ({ target }) => {
    const option = target instanceof Element ? target.closest<HTMLElement>("[role=option]") : null;
    if (option && option !== highlighted(combobox)) highlight(combobox, option);
  });
  return { show, cancel, shown: () => displayedText };
}

/** The first result, as when nothing was highlighted by the user. */
export const highlightFirst = (combobox: Combobox): void => highlight(combobox, optionsOf(combobox)[0]);
