import { findChromium } from "@svc/testkit";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { onEnd } from "./endings.ts";
import { median, type Rate } from "./rounds.ts";
import { type PageServices, startPageServices } from "./web/page-services.ts";
import { type PageTimes, readPageTimes } from "./web/page-times.ts";

const requestsEachRound = 20;

interface Condition {
  readonly name: string;
  readonly lcpMaxMs: number;
  /** Null: the machine as it is. */
  readonly slowed: { readonly processor: number; readonly latencyMs: number; readonly bitsPerSecond: number } | null;
}

const conditions: readonly Condition[] = [
  { name: "loopback", lcpMaxMs: 500, slowed: null },
  {
    name: "processor 4 times slower, 1.6 Mbit/s, 150 ms",
    lcpMaxMs: 1_200,
    slowed: { processor: 4, latencyMs: 150, bitsPerSecond: 1_600_000 },
  },
];
const blockedMaxMs = 400;
const searchMaxMs = 150;
const responseMaxMs = 50;

interface BudgetedPage {
  readonly name: string;
  readonly path: string;
  /** Text that the page must contain to be the one that has the budget. */
  readonly holds: string;
}

const pagesOf = ({ shipmentPath }: PageServices): readonly BudgetedPage[] => [
  { name: "list of 50", path: "/shipments?page_size=50", holds: ".row-link >> nth=49" },
  { name: "shipment with map", path: shipmentPath, holds: "svg.map" },
];

/** BENCH_WEB_ROUNDS, five when it is absent. */
function requestedRounds(): number {
  const rounds = Number(process.env.BENCH_WEB_ROUNDS || "5");
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("BENCH_WEB_ROUNDS must be a whole number above 0.");
  return rounds;
}

/** Opens the context of a signed-in user without a browser cache. */
async function newVisit(browser: Browser, { url, cookie: [name, value] }: PageServices): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addCookies([{ name, value, url }]);
  return context;
}

async function loadPage(
  browser: Browser,
  services: PageServices,
  { name, path, holds }: BudgetedPage,
  { slowed }: Condition,
): Promise<PageTimes> {
  const context = await newVisit(browser, services);
  try {
    const page = await context.newPage();
    if (slowed) {
      const { processor, latencyMs: latency, bitsPerSecond } = slowed;
      const [downloadThroughput, uploadThroughput] = [bitsPerSecond / 8, bitsPerSecond / 8];
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      const network = { offline: false, latency, downloadThroughput, uploadThroughput };
      await session.send("Network.emulateNetworkConditions", network);
      await session.send("Emulation.setCPUThrottlingRate", { rate: processor });
    }
    const response = await page.goto(`${services.url}${path}`);
    // Idle is also a network that waits for a slowed processor to read the page, so it is asked only after all was
    // loaded.
    await page.waitForLoadState("networkidle");
    if (response?.status() !== 200 || (await page.locator(holds).count()) !== 1) {
      throw new Error(`The page "${name}" (${response?.status()}) is not as it should be: it has no ${holds}.`);
    }
    const times = await page.evaluate<PageTimes>(readPageTimes);
    if (!Object.values(times).every(Number.isFinite)) {
      throw new Error(`The browser does not report all times of "${name}": ${JSON.stringify(times)}.`);
    }
    return times;
  } finally {
    await context.close();
  }
}

/** Returns the time from the key that sends a search until the row that it finds is visible. */
async function search(browser: Browser, services: PageServices): Promise<number> {
  const context = await newVisit(browser, services);
  try {
    const page = await context.newPage();
    await page.goto(`${services.url}/shipments`, { waitUntil: "networkidle" });
    const searchBox = page.locator("#q");
    await searchBox.fill(services.number.toLowerCase());
    const startedMs = performance.now();
    await searchBox.press("Enter", { noWaitAfter: true });
    await page.waitForURL(/q=/, { waitUntil: "commit" });
    await page.locator(".row-link", { hasText: services.number }).first().waitFor();
    return performance.now() - startedMs;
  } finally {
    await context.close();
  }
}

/** The median of a few whole requests, without a browser. */
async function responseTimeMs(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const tookMs: number[] = [];
  for (let index = 0; index < requestsEachRound; index++) {
    const startedMs = performance.now();
    const response = await fetch(url, { headers });
    await response.text();
    if (response.status !== 200) throw new Error(`${url} answers ${response.status}.`);
    tookMs.push(performance.now() - startedMs);
  }
  return median(tookMs);
}

/**
 * The timed budgets of the pages: each loaded for the first time by a browser without cache, as the machine is and as a
 * slow phone, and what they are made of. Medians of BENCH_WEB_ROUNDS rounds, all kinds in turn in each.
 */
export async function benchmarkWebPages({ postgresUrl }: { readonly postgresUrl: string }): Promise<Rate[]> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("There is no Chromium on this machine; CHROMIUM_PATH says where one is.");
  const rounds = requestedRounds();
  const services = await startPageServices(postgresUrl);
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ["--disable-gpu"] });
  const closeBrowser = onEnd(() => browser.close());
  const pages = pagesOf(services);
  const kinds = pages.flatMap((page) => conditions.map((condition) => ({ page, condition, times: [] as PageTimes[] })));
  const [searches, responseTimes]: [number[], number[]] = [[], []];
  const shipments: number[] = [];
  const headers = { cookie: services.cookie.join("=") };
  // The first loads are not measured: a process does some work only once.
  for (const page of pages) for (const condition of conditions) await loadPage(browser, services, page, condition);
  for (let round = 0; round < rounds; round++) {
    for (const { page, condition, times } of kinds) times.push(await loadPage(browser, services, page, condition));
    searches.push(await search(browser, services));
    responseTimes.push(await responseTimeMs(`${services.url}/shipments?page_size=50`, headers));
    shipments.push(await responseTimeMs(`${services.url}${services.shipmentPath}`, headers));
  }
  await closeBrowser();
  await services.stop();

  const ms = (name: string, rates: readonly number[], note: string, atMost?: number): Rate => ({
    name,
    unit: "ms",
    rates,
    note,
    ...(atMost !== undefined && { aim: { atMost } }),
  });
  const note = "first visit, nothing cached";
  return [
    ...kinds.flatMap(({ page, condition, times }) => {
      const budgetRow = (what: string, key: keyof PageTimes, atMost?: number) =>
        ms(
          `${page.name}, ${condition.name}: ${what}`,
          times.map((one) => one[key]),
          note,
          atMost,
        );
      return [
        // A network that is slowed is slowed behind the clock that times the first byte.
        ...(condition.slowed ? [] : [budgetRow("first byte", "ttfb")]),
        budgetRow("DOMContentLoaded", "domContentLoaded"),
        budgetRow("largest contentful paint", "lcp", condition.lcpMaxMs),
        ...(condition.slowed ? [budgetRow("blocked by long tasks", "blocked", blockedMaxMs)] : []),
      ];
    }),
    ms("search: Enter until its row is seen", searches, "loopback", searchMaxMs),
    ms("list of 50: whole request", responseTimes, `${requestsEachRound} each round, without a browser`, responseMaxMs),
    ms("shipment with map: whole request", shipments, `${requestsEachRound} each round, without a browser`),
  ];
}
