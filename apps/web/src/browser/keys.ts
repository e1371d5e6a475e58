/** Setting that disables the single-key shortcuts (WCAG 2.1.4). */
const storageKey = "svc-single-keys";

const enabled = (): boolean => {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    return true;
  }
};

const goTo = (path: string) => (): void => location.assign(path);

/** Follows the link of the page that matches the selector. */
const follow = (page: Document, selector: string) => (): void => page.querySelector<HTMLElement>(selector)?.click();

function focusSearch(page: Document): void {
  const input =
    page.querySelector<HTMLInputElement>("main .finder input[type=search]") ??
    page.querySelector<HTMLInputElement>("header .jump input[name=q]");
  input?.focus();
  input?.select();
}

/** Moves the focus between rows of a list; from outside the list to its first or last row. */
function moveToRow(page: Document, step: 1 | -1): void {
  const rows = [...page.querySelectorAll<HTMLElement>(".row-link")];
  const row = page.activeElement?.closest("tr") ?? null;
  const at = row === null ? -1 : rows.findIndex((link) => row.contains(link));
  const start = step > 0 ? 0 : rows.length - 1;
  const target = rows[at < 0 ? start : at + step];
  target?.focus();
  target?.scrollIntoView({ block: "nearest" });
}

/** The shipment of the row that has the focus, or of the page. */
function share(page: Document): void {
  const row = page.activeElement?.closest("tr");
  (row ?? page).querySelector<HTMLElement>(row ? "[data-share]" : ".head [data-share]")?.click();
}

/** Selects the row that has the focus, or clears its selection. */
function pickRow(page: Document): void {
  page.activeElement?.closest("tr")?.querySelector<HTMLElement>(".pick[name]")?.click();
}

/** Moves the focus to what can be done to the selected rows; without a selection this is not visible. */
function goToRowsBar(page: Document): void {
  page.querySelector<HTMLElement>(".rows-bar :is(input:not([type=hidden]), [name=action])")?.focus();
}

interface Command {
  readonly keys: readonly string[];
  readonly label: string;
  readonly run: () => void;
}

function createCommands(page: Document, showHelp: () => void): readonly Command[] {
  return [
    { keys: ["/"], label: "Go to the search box", run: () => focusSearch(page) },
    { keys: ["j"], label: "Next row", run: () => moveToRow(page, 1) },
    { keys: ["k"], label: "Previous row", run: () => moveToRow(page, -1) },
    { keys: ["x"], label: "Select the row", run: () => pickRow(page) },
    { keys: ["."], label: "Go to the actions of the selected rows", run: () => goToRowsBar(page) },
    { keys: ["]"], label: "Next container", run: follow(page, '.boxes [data-step="next"]') },
    { keys: ["["], label: "Container before", run: follow(page, '.boxes [data-step="previous"]') },
    { keys: ["r"], label: "Reload", run: () => location.reload() },
    { keys: ["g", "a"], label: "Go to what needs attention", run: goTo("/attention") },
    { keys: ["g", "s"], label: "Go to the shipments", run: goTo("/shipments") },
    { keys: ["g", "c"], label: "Go to the containers", run: goTo("/containers") },
    { keys: ["g", "m"], label: "Go to the map", run: goTo("/map") },
    { keys: ["g", "d"], label: "Go to the developers' pages", run: goTo("/developers") },
    { keys: ["s"], label: "Share the shipment", run: () => share(page) },
    { keys: ["?"], label: "Show this help", run: showHelp },
  ];
}

/** The dialog that lists the shortcuts, created when it is first opened. */
function helpDialog(page: Document, commands: readonly Command[]): HTMLDialogElement {
  const createElement = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, text = ""): HTMLElementTagNameMap[Tag] =>
    Object.assign(page.createElement(tag), { textContent: text });
  const dialog = createElement("dialog");
  const title = Object.assign(createElement("h2", "Keyboard"), { id: "keys-title" });
  dialog.setAttribute("aria-labelledby", title.id);
  const list = createElement("dl");
  const palette = { keys: ["Ctrl", "K"], label: "Search everything" };
  for (const { keys, label } of [palette, ...commands]) {
    const row = createElement("div");
    const term = createElement("dt");
    term.append(...keys.map((key) => createElement("kbd", key)));
    row.append(term, createElement("dd", label));
    list.append(row);
  }
  const label = createElement("label", " Enable shortcuts");
  const checkbox = Object.assign(createElement("input"), { type: "checkbox", checked: enabled() });
  checkbox.addEventListener("change", () => localStorage.setItem(storageKey, checkbox.checked ? "on" : "off"));
  label.prepend(checkbox);
  const form = Object.assign(createElement("form"), { method: "dialog" });
  form.append(createElement("button", "Close"));
  dialog.append(title, list, label, form);
  page.body.append(dialog);
  return dialog;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], dialog") !== null;

export function listenToKeys(page: Document): void {
  let dialog: HTMLDialogElement | undefined;
  const showHelp = (): void => {
    dialog ??= helpDialog(page, commands);
    dialog.showModal();
  };
  const commands = createCommands(page, showHelp);

  // A button opens the same dialog without a key, also to enable disabled shortcuts.
  const opener = Object.assign(page.createElement("button"), { type: "button", className: "quiet keys" });
  opener.textContent = "Keyboard";
  opener.addEventListener("click", showHelp);
  page.querySelector(".menu-links")?.append(opener);

  let before = "";
  page.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const fromSearch = event.target instanceof Element && event.target.matches("[data-in-place] input[type=search]");
    if (fromSearch && event.key === "ArrowDown") {
      event.preventDefault();
      moveToRow(page, 1);
      return;
    }
    if (isTyping(event.target)) return;
    const onRow = event.target instanceof Element && event.target.matches(".row-link");
    if (onRow && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      moveToRow(page, event.key === "ArrowDown" ? 1 : -1);
      return;
    }
    if (!enabled()) return;
    const sequence = [before, event.key];
    before = event.key;
    const command = commands.find(({ keys }) => sequence.slice(-keys.length).join(" ") === keys.join(" "));
    if (!command) return;
    event.preventDefault();
    command.run();
  });
}
