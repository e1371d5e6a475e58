const messageMs = 2_000;

/** Class that shows the copy buttons. The stylesheet hides them where the clipboard is not available. */
const canCopy = "can-copy";

const copiedText = (source: HTMLElement): string =>
  source instanceof HTMLInputElement ? source.value : (source.textContent ?? "");

/** Buttons that copy the text of the element with the id in `data-copies`, including buttons that are added later. */
export function copyByButton(page: Document): void {
  // Browsers offer the clipboard only on secure origins.
  if (!navigator.clipboard) return;
  page.documentElement.classList.add(canCopy);
  page.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button[data-copies]") : null;
    const source = button && page.getElementById(button.dataset.copies ?? "");
    if (!button || !source) return;
    const label = button.dataset.label ?? button.textContent ?? "";
    button.dataset.label = label;
    const showMessage = (text: string): void => {
      button.textContent = text;
      setTimeout(() => {
        button.textContent = label;
      }, messageMs);
    };
    navigator.clipboard.writeText(copiedText(source)).then(
      () => showMessage("Copied"),
      () => showMessage("Not allowed"),
    );
  });
}
