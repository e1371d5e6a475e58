/** Prints the page by its buttons (`data-prints`), whose menu closes first. */
export function printByButton(page: Document): void {
  page.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button[data-prints]") : null;
    if (!button) return;
    button.closest("details[data-closes]")?.removeAttribute("open");
    window.print();
  });
}
