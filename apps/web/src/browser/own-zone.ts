/** The reader's own zone is known here only: the button for it sends its name. */
export function offerOwnZone(page: Document): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (!timeZone) return;
  for (const button of page.querySelectorAll<HTMLButtonElement>("button[data-own-zone]")) {
    button.value = timeZone;
    button.textContent = `Mine (${timeZone})`;
  }
}
