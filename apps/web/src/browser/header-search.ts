import { createCombobox, highlight, highlighted, showWhileTyping } from "./search-results.ts";

/**
 * Shows results below the search field of the header while typing. Enter opens the result that the arrow keys or the
 * pointer highlighted; otherwise it submits the form, and the server decides.
 */
export function suggestInHeader(page: Document): void {
  const form = page.querySelector<HTMLFormElement>(".jump");
  const field = form?.querySelector("input[name=q]");
  if (!form || !(field instanceof HTMLInputElement)) return;
  const combobox = createCombobox(field, "jump-results");
  const { box, count, results } = combobox;
  const list = Object.assign(page.createElement("div"), { className: "menu header-results", hidden: true });
  list.append(count, results);
  form.append(list);

  const setOpen = (isOpen: boolean): void => {
    list.hidden = !isOpen;
    box.setAttribute("aria-expanded", String(isOpen));
  };
  const isHere = (): boolean => page.activeElement === box && box.value.trim() !== "";
  const typing = showWhileTyping(combobox, {
    results: () => {
      setOpen(isHere());
      list.scrollTop = 0;
    },
    // The field is still in use: the page that Enter opens shows what is wrong.
    failure: () => setOpen(false),
  });
  const close = (): void => {
    typing.cancel();
    highlight(combobox, undefined);
    setOpen(false);
  };

  box.addEventListener("input", () => {
    if (box.value.trim() === "") close();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    }
    if (event.key.startsWith("Arrow") && list.hidden && isHere() && typing.shown() === box.value) setOpen(true);
  });
  form.addEventListener("submit", (event) => {
    const option = list.hidden || typing.shown() !== box.value ? null : highlighted(combobox);
    if (!option) return typing.cancel();
    event.preventDefault();
    option.click();
  });
  // A click on a result does not take the focus from the field, which would close the list before the click ends.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  box.addEventListener("blur", close);
}
