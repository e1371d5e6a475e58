/**
 * The reader's own zone is known here only: the button for it sends its name. It is looked for when somebody is about to choose,
 * since browsers take long to load what they know of zones.
 */
export function offerOwnZone(page: Document): void {
  const buttons = [...page.querySelectorAll<HTMLButtonElement>("button[data-own-zone]")];
  const name = (): void => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    if (!timeZone) return;
    for (const button of buttons) {
      button.value = timeZone;
      button.textContent = `Mine (${timeZone})`;
    }
  };
  for (const { form } of buttons) {
    for (const what of ["pointerover", "focusin"]) form?.addEventListener(what, name, { once: true });
  }
}
