import {
  type Combobox,
  highlighted,
  highlightFirst,
  makeCombobox,
  type ResultsOfTyping,
  searchAddress,
  showWhileTyping,
} from "./search-results.ts";

interface Palette extends Combobox, ResultsOfTyping {
  readonly dialog: HTMLDialogElement;
  readonly form: HTMLFormElement;
}

function makePalette(page: Document): Palette {
  const dialog = Object.assign(page.createElement("dialog"), { className: "palette" });
  dialog.setAttribute("aria-label", "Search and commands");
  const form = Object.assign(page.createElement("form"), { action: "/track/search" });
  const placeholder = "Number, reference, tag, customer or page";
  const combobox = makeCombobox(page.createElement("input"), "palette-results");
  const { box, count, results } = combobox;
  Object.assign(box, { name: "q", placeholder, ariaLabel: placeholder, ariaExpanded: "true" });
  form.append(box);
  dialog.append(form, count, results);
  page.body.append(dialog);
  const typing = showWhileTyping(combobox, {
    results: () => {
      highlightFirst(combobox);
      dialog.scrollTop = 0;
    },
    // The page of the same search shows what is wrong, or asks to sign in.
    failure: (text) => location.assign(searchAddress(text)),
  });
  return { dialog, form, ...combobox, ...typing };
}

/** Control-K or Command-K opens the search over the page: it shows the results of the search page while typing. */
export function openPalette(page: Document): void {
  if (!page.querySelector(".user-menu")) return;
  let palette: Palette | undefined;

  /** Opens the highlighted result; when the results of the text are not shown yet, the first one. */
  const openHighlighted = async (made: Palette): Promise<void> => {
    if (made.shown() !== made.box.value) await made.show();
    else made.cancel();
    highlighted(made)?.click();
  };

  const create = (): Palette => {
    const made = makePalette(page);
    made.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void openHighlighted(made);
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
    void palette.show();
  });
}
