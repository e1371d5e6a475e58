import { readPage } from "./read-page.ts";

const timeoutMs = 10_000;
/** Between two keystrokes of a fast typist. */
const quietMs = 150;

const address = (text: string): string => `/track/search?${new URLSearchParams({ q: text })}`;

interface Palette {
  readonly dialog: HTMLDialogElement;
  readonly form: HTMLFormElement;
  readonly box: HTMLInputElement;
  readonly results: HTMLElement;
}

function makePalette(page: Document): Palette {
  const dialog = Object.assign(page.createElement("dialog"), { className: "palette" });
  dialog.setAttribute("aria-label", "Search and commands");
  const form = Object.assign(page.createElement("form"), { action: "/track/search" });
  const placeholder = "Number, reference, tag, customer or page";
  const box = page.createElement("input");
  Object.assign(box, { name: "q", maxLength: 100, autocomplete: "off", enterKeyHint: "search", placeholder });
  // Escape would empty a field of the type "search" before it closes the dialog.
  box.setAttribute("role", "searchbox");
  box.setAttribute("aria-label", placeholder);
  const results = page.createElement("div");
  form.append(box);
  dialog.append(form, results);
  page.body.append(dialog);
  return { dialog, form, box, results };
}

/** Control-K or Command-K opens the search over the page: it shows the results of the search page while typing. */
export function openPalette(page: Document): void {
  if (!page.querySelector(".user-menu")) return;
  let palette: Palette | undefined;
  let asking: AbortController | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  /** The text of the results. */
  let shown: string | undefined;

  const show = async ({ box, results }: Palette): Promise<void> => {
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    const text = box.value;
    try {
      const answer = await readPage(address(text), { signal: mine.signal, timeoutMs });
      const found = answer?.querySelector("[data-results]");
      if (!found) throw new Error("The response is another page.");
      const isInResults = results.contains(page.activeElement);
      results.replaceChildren(page.adoptNode(found));
      shown = text;
      if (isInResults) (results.querySelector<HTMLElement>("a") ?? box).focus();
    } catch {
      // The page of the same search shows what is wrong, or asks to sign in.
      if (!mine.signal.aborted) location.assign(address(text));
    }
  };

  const openFirst = async (made: Palette): Promise<void> => {
    clearTimeout(waiting);
    if (shown !== made.box.value) await show(made);
    made.results.querySelector<HTMLElement>("a")?.click();
  };

  /** The results in order; the box is before the first. */
  const move = ({ box, results }: Palette, step: 1 | -1): void => {
    const stops: HTMLElement[] = [box, ...results.querySelectorAll<HTMLElement>("a")];
    const at = stops.indexOf(page.activeElement as HTMLElement);
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
  };

  const create = (): Palette => {
    const made = makePalette(page);
    made.box.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => void show(made), quietMs);
    });
    made.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void openFirst(made);
    });
    made.dialog.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        move(made, event.key === "ArrowDown" ? 1 : -1);
      }
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
