import type { Locator, Page } from "playwright-core";

/**
 * The layout problems of the open page that a user with a mouse would notice, one line each:
 * - a click at the centre or close to the edges of a visible control misses it,
 * - an element overflows the viewport sideways, other than in a scrollable element,
 * - two controls, or a control and the text of a heading, overlap,
 * - text is clipped by its element or by the view box of its drawing.
 */
export async function layoutProblems(page: Page): Promise<string[]> {
  // Elements that follow the size of the window, such as the canvas of a map, have it only once a frame was drawn.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  return page.evaluate(findProblems, "body");
}

/**
 * Opens everything that is folded, so that its content is looked at too. What opens over the page stays closed. The
 * page is no longer updated.
 */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const part of document.querySelectorAll<HTMLElement>("[data-part]")) part.dataset.part = "still";
    for (const details of document.querySelectorAll("details")) {
      details.open = true;
      const opensOver = [...details.children].some((part) => getComputedStyle(part).position === "absolute");
      details.toggleAttribute("data-opens-over", opensOver);
      details.open = !opensOver;
    }
  });
}

/** Opens or closes a menu with those that it is in. */
function setOpen(menu: Locator, isOpen: boolean): Promise<void> {
  return menu.evaluate((details: HTMLDetailsElement, open) => {
    const outer = (one: Element) => one.parentElement?.closest<HTMLDetailsElement>("details[data-opens-over]") ?? null;
    for (let one: HTMLDetailsElement | null = details; one; one = outer(one)) one.open = open;
    details.toggleAttribute("data-swept", open);
  }, isOpen);
}

/** The layout problems of each menu of an unfolded page while it is open; of menus that look alike, of the first. */
export async function menuProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  const signatures = new Set<string>();
  for (const menu of await page.locator("details[data-opens-over]").all()) {
    const label = await menu.locator(":scope > summary").textContent();
    const signature = `${await menu.getAttribute("class")} ${label}`;
    if (signatures.has(signature)) continue;
    await setOpen(menu, true);
    if (await menu.isVisible()) {
      signatures.add(signature);
      const found = await page.evaluate(findProblems, "[data-swept]");
      problems.push(...found.map((problem) => `menu ${signature}: ${problem}`));
    }
    await setOpen(menu, false);
  }
  return problems;
}

/** Runs in the page: everything that it uses is inside. `root`: selects the element to look at. */
function findProblems(root: string): string[] {
  const problems: string[] = [];
  const tolerance = 1;
  const nameOf = (element: Element): string => {
    const text = (element.getAttribute("aria-label") ?? element.textContent ?? "").replace(/\s+/g, " ").trim();
    const id = element.id ? `#${element.id}` : "";
    return `<${element.localName}${id}${element.className && typeof element.className === "string" ? `.${element.className}` : ""}> ${text.slice(0, 40)}`;
  };
  const isForReadersOnly = (element: Element): boolean => element.closest(".hidden, .skip") !== null;
  const isVisible = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !isForReadersOnly(element);
  const hasAncestorWithOverflow = (clips: RegExp, element: Element): boolean => {
    for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
      if (clips.test(getComputedStyle(parent).overflowX)) return true;
    }
    return false;
  };
  const isInScrollContainer = (element: Element): boolean => hasAncestorWithOverflow(/auto|scroll/, element);

  const width = document.documentElement.clientWidth;
  const elements = [...document.querySelectorAll(`${root} *`)].filter(isVisible);
  const leavers = elements.filter((element) => {
    const { left, right, width: own } = element.getBoundingClientRect();
    return (
      own > 0 &&
      (left < -tolerance || right > width + tolerance) &&
      !hasAncestorWithOverflow(/auto|scroll|hidden|clip/, element)
    );
  });
  for (const element of leavers) {
    if (!leavers.some((other) => other !== element && element.contains(other)) && !element.closest("svg")) {
      problems.push(`leaves the viewport: ${nameOf(element)}`);
    }
  }

  for (const element of elements) {
    const { overflowX, textOverflow } = getComputedStyle(element);
    const canClip = /hidden|clip/.test(overflowX) && textOverflow !== "ellipsis";
    const isButton = element.localName === "button" || element.classList.contains("button");
    if ((canClip || isButton) && element.scrollWidth > element.clientWidth + tolerance && element.textContent?.trim()) {
      problems.push(`text is clipped: ${nameOf(element)}`);
    }
  }
  for (const drawing of document.querySelectorAll(`${root} svg`)) {
    if (!isVisible(drawing)) continue;
    const frame = drawing.getBoundingClientRect();
    for (const text of [...drawing.querySelectorAll("text")].filter(isVisible)) {
      const bounds = text.getBoundingClientRect();
      const isOutside =
        bounds.right <= frame.left ||
        bounds.left >= frame.right ||
        bounds.bottom <= frame.top ||
        bounds.top >= frame.bottom;
      if (isOutside) continue;
      if (
        bounds.left < frame.left - tolerance ||
        bounds.right > frame.right + tolerance ||
        bounds.top < frame.top - tolerance ||
        bounds.bottom > frame.bottom + tolerance
      ) {
        problems.push(`leaves its drawing: "${text.textContent}"`);
      }
    }
  }

  const controls = elements.filter((element) =>
    element.matches("a[href], button, input:not([type=hidden]), select, textarea, summary"),
  );
  /** A link may go over several lines; a link around blocks is its box. */
  const boundsOf = (control: Element): DOMRect[] => {
    const all =
      getComputedStyle(control).display === "inline" ? control.getClientRects() : [control.getBoundingClientRect()];
    return [...all].filter((box) => box.width > 2 && box.height > 2);
  };
  for (const control of controls) {
    control.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    for (const box of boundsOf(control)) {
      const [middleX, middleY] = [box.left + box.width / 2, box.top + box.height / 2];
      const points = [
        [middleX, middleY],
        [box.left + 3, middleY],
        [box.right - 3, middleY],
        [middleX, box.top + 3],
        [middleX, box.bottom - 3],
      ] as const;
      for (const [x, y] of points) {
        if (y < 0 || y >= innerHeight || x < 0 || x >= width) continue;
        const hit = document.elementFromPoint(x, y);
        const isLabel = hit?.closest("label")?.contains(control) ?? false;
        if (hit !== null && (control.contains(hit) || isLabel)) continue;
        problems.push(
          `covered at ${Math.round(x - box.left)},${Math.round(y - box.top)}: ${nameOf(control)} by ${hit ? nameOf(hit) : "nothing"}`,
        );
        break;
      }
    }
  }

  window.scrollTo(0, 0);
  const linesOf = (heading: Element): DOMRect[] => {
    const text = document.createRange();
    text.selectNodeContents(heading);
    return [...text.getClientRects()];
  };
  const headings = elements.filter((element) => element.matches("h1, h2, h3"));
  const placed = [
    ...controls.flatMap((control) => boundsOf(control).map((box) => ({ control, box }))),
    ...headings.flatMap((control) => linesOf(control).map((box) => ({ control, box }))),
  ];
  for (const [index, { control, box }] of placed.entries()) {
    for (const other of placed.slice(index + 1)) {
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      // Lines of text stand so close that the boxes of two links in them touch.
      if (across <= 2 || down <= 4) continue;
      if (control.contains(other.control) || other.control.contains(control)) continue;
      if (isInScrollContainer(control) !== isInScrollContainer(other.control)) continue;
      problems.push(`overlap: ${nameOf(control)} and ${nameOf(other.control)}`);
    }
  }
  return problems;
}
