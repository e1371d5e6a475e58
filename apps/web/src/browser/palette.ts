import {
  type Combobox,
  createCombobox,
  highlighted,
  highlightFirst,
  type LiveResults,
  searchAddress,
  showWhileTyping,
} from "./search-results.ts";

interface Palette extends Combobox, LiveResults {
  readonly dialog: HTMLDialogElement;
  readonly form: HTMLFormElement;
}

function createPalette(page: Document): Palette {
  const dialog = Object.assign(page.createElement("dialog"), { className: "palette" });
  dialog.setAttribute("aria-label", "Search and commands");
  const form = Object.assign(page.createElement("form"), { action: "/track/search" });
  const placeholder = "Number, reference, tag, customer or page";
  const combobox = createCombobox(page.createElement("input"), "palette-results");
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
  const openHighlighted = async (opened: Palette): Promise<void> => {
    if (opened.shown() !== opened.box.value) await opened.show();
    else opened.cancel();
    highlighted(opened)?.click();
  };

  const create = (): Palette => {
    const opened = createPalette(page);
    opened.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void openHighlighted(opened);
    });
    opened.dialog.addEventListener("click", ({ target }) => {
      if (target === opened.dialog) opened.dialog.close();
    });
    return opened;
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
