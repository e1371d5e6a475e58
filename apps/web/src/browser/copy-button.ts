const shownMs = 2_000;

/** Told to the style, which hides the buttons where nothing can be copied. */
const canCopy = "can-copy";

const textOf = (source: HTMLElement): string =>
  source instanceof HTMLInputElement ? source.value : (source.textContent ?? "");

/** Buttons that copy what another element holds: `data-copies` is its id. Also those that come into the page later. */
export function copyByButton(page: Document): void {
  // Browsers offer the clipboard on secure origins only.
  if (!navigator.clipboard) return;
  page.documentElement.classList.add(canCopy);
  page.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button[data-copies]") : null;
    const source = button && page.getElementById(button.dataset.copies ?? "");
    if (!button || !source) return;
    const words = button.dataset.words ?? button.textContent ?? "";
    button.dataset.words = words;
    const say = (text: string): void => {
      button.textContent = text;
      setTimeout(() => {
        button.textContent = words;
      }, shownMs);
    };
    navigator.clipboard.writeText(textOf(source)).then(
      () => say("Copied"),
      () => say("Not allowed"),
    );
  });
}
