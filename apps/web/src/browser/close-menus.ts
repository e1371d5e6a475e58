const open = "details[data-closes][open]";

/** Closes a menu on Escape and on a click elsewhere; the browser opens and closes it by its summary. */
export function closeMenus(page: Document): void {
  page.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    const menu = page.activeElement?.closest(open);
    menu?.removeAttribute("open");
    menu?.querySelector("summary")?.focus();
  });
  page.addEventListener("click", ({ target }) => {
    for (const menu of page.querySelectorAll(open)) {
      if (!(target instanceof Node && menu.contains(target))) menu.removeAttribute("open");
    }
  });
}
