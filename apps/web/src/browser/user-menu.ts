/** Closes the menu of the member on Escape and on a click elsewhere; the browser opens and closes it by its summary. */
export function closeUserMenu(page: Document): void {
  const menu = page.querySelector<HTMLDetailsElement>(".user-menu");
  if (menu === null) return;
  page.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}
