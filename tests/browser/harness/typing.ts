import type { Locator, Page } from "playwright-core";

/** Points of a field that a click has to reach, as parts of its width: some controls cover only a part of a field. */
const reachedAt = [0.05, 0.3, 0.5, 0.7];

/**
 * Fills a field with the mouse and the keyboard only: `fill()` would also reach a field that is covered. Replaces what
 * the field contains. Throws when a click on the field does not focus it, or something else covers a part of it.
 */
export async function typeInto(field: Locator, text: string): Promise<void> {
  const page = field.page();
  await field.scrollIntoViewIfNeeded();
  const bounds = await field.boundingBox();
  if (!bounds) throw new Error(`${field} is not visible, so it cannot be clicked.`);
  const y = bounds.y + Math.min(bounds.height / 2, 24);
  const points = reachedAt.map((part) => ({ part, x: bounds.x + bounds.width * part, y }));
  const missed = await field.evaluate(
    (element, all) => all.find((point) => !element.contains(document.elementFromPoint(point.x, point.y))),
    points,
  );
  if (missed) throw new Error(`A click at ${missed.part * 100} % of the width of ${field} does not reach it.`);
  await page.mouse.click(bounds.x + bounds.width / 2, y);
  if (!(await field.evaluate((element) => element === document.activeElement))) {
    throw new Error(`A click in the middle of ${field} does not reach it.`);
  }
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  const [first, ...others] = text.split("\n");
  await page.keyboard.type(first ?? "");
  for (const line of others) {
    await page.keyboard.press("Enter");
    await page.keyboard.type(line);
  }
}

/** Types a time like 2026-01-31T08:30 into a native date and time field, whose first part is the month. */
export async function typeDateTime(field: Locator, time: string): Promise<void> {
  const [year, month, day, hour, minute] = time.split(/\D/);
  const half = Number(hour) < 12 ? "AM" : "PM";
  const hour12 = String(Number(hour) % 12 || 12).padStart(2, "0");
  await field.scrollIntoViewIfNeeded();
  await field.click({ position: { x: 20, y: 10 } });
  await field.page().keyboard.type(`${month}${day}${year}`);
  await field.page().keyboard.press("Tab");
  await field.page().keyboard.type(`${hour12}${minute}${half}`);
}

/** Signs in on the page that is open, which shows the log-in form, as a person does. */
export async function logIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await typeInto(page.getByLabel("Email address"), email);
  await typeInto(page.getByLabel("Password", { exact: true }), password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Opens the menu of the member in the header; what is in it is hidden before. */
export async function openUserMenu(page: Page): Promise<void> {
  await page.locator(".user-menu > summary").click();
}
