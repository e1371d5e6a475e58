import type { Page } from "playwright-core";

/** Opens a page of the application. Throws when it fails or redirects: then another page would be looked at. */
export async function openPage(page: Page, app: string, address: string): Promise<void> {
  const response = await page.goto(`${app}${address}`);
  if (page.url() !== `${app}${address}`) throw new Error(`${address} redirects to ${page.url()}.`);
  if (!response || response.status() >= 500) throw new Error(`${address} answered ${response?.status()}.`);
}
