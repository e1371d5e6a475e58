/**
 * Only the browser knows the time zone of the user: the button submits its name. The zone is determined when the user
 * is about to choose, because browsers take long to load time zone data.
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
