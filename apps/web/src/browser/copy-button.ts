const shownMs = 2_000;

/** Buttons that copy what another element holds: `data-copies` is its id. They are hidden where no script runs. */
export function copyByButton(page: Document): void {
  for (const button of page.querySelectorAll<HTMLButtonElement>("button[data-copies]")) {
    const source = page.getElementById(button.dataset.copies ?? "");
    // Browsers offer the clipboard on secure origins only.
    if (!source || !navigator.clipboard) continue;
    const words = button.textContent;
    button.hidden = false;
    const say = (text: string): void => {
      button.textContent = text;
      setTimeout(() => {
        button.textContent = words;
      }, shownMs);
    };
    button.addEventListener("click", () => {
      navigator.clipboard
        .writeText(source instanceof HTMLInputElement ? source.value : (source.textContent ?? ""))
        .then(
          () => say("Copied"),
          () => say("Not allowed"),
        );
    });
  }
}
