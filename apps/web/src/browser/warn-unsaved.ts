/**
 * Asks before a page is left while the field of a note has text that was not saved. Saving leaves the page, too: its
 * form is exempt until the page is shown again.
 */
export function warnUnsaved(page: Document): void {
  let saving: HTMLFormElement | null = null;
  page.addEventListener("submit", ({ target }) => {
    if (target instanceof HTMLFormElement) saving = target;
  });
  window.addEventListener("pageshow", () => {
    saving = null;
  });
  window.addEventListener("beforeunload", (event) => {
    const notes = [...page.querySelectorAll<HTMLTextAreaElement>("textarea[name=note]")];
    if (notes.some(({ form, value, defaultValue }) => form !== saving && value !== defaultValue))
      event.preventDefault();
  });
}
