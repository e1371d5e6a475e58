import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { findChromium } from "@svc/testkit";
import { type Browser, chromium, type Page } from "playwright-core";
import { onEnd } from "./endings.ts";
import { insertSailingContainers } from "./map/sailing-containers.ts";
import { median, type Reading } from "./rounds.ts";
import { type PageServices, startPageServices } from "./web/page-services.ts";

const containers = 10_000;
const apiRequests = 100;
const pageLoads = 5;
const zoomedMs = 6_000;

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(bytes < 100_000 ? 1 : 0)} kB`;

/** Returns the sizes as a proxy compresses responses: gzip at its default level, Brotli at 4. */
function sizes(body: Buffer): string {
  const brotli = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  return `${kilobytes(body.length)}, gzip ${kilobytes(gzipSync(body).length)}, Brotli ${kilobytes(brotli.length)}`;
}

async function readBody(address: string, headers: Readonly<Record<string, string>>): Promise<Buffer> {
  const response = await fetch(address, { headers });
  if (response.status !== 200) throw new Error(`${address} answers ${response.status}.`);
  return Buffer.from(await response.arrayBuffer());
}

async function timesOf(address: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const tookMs: number[] = [];
  for (let index = 0; index < apiRequests; index++) {
    const startedMs = performance.now();
    await readBody(address, headers);
    tookMs.push(performance.now() - startedMs);
  }
  return `p50 ${quantile(tookMs, 0.5).toFixed(0)} ms, p99 ${quantile(tookMs, 0.99).toFixed(0)} ms`;
}

/** A first visit, without a cache: from the navigation until the map with its clusters is shown. */
async function openMap(browser: Browser, { url, cookie: [name, value] }: PageServices) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  const startedMs = performance.now();
  await page.goto(`${url}/map`, { waitUntil: "commit" });
  await page.locator(".voyage-map > svg .mark").first().waitFor();
  const serverDrawnMs = performance.now() - startedMs;
  await page.locator(".voyage-map.is-drawn").waitFor();
  return { page, serverDrawnMs, drawnMs: performance.now() - startedMs, close: () => context.close() };
}

/** Times between frames while the wheel zooms in and out. */
async function zoomFrames(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const { requestAnimationFrame: next } = globalThis as unknown as {
      requestAnimationFrame: (run: (now: number) => void) => void;
    };
    const note = (now: number) => {
      frames.push(now - last);
      last = now;
      next(note);
    };
    next(note);
    Object.assign(globalThis, { benchFrames: frames });
  });
  const bounds = await page.locator(".map-canvas canvas").boundingBox();
  if (bounds === null) throw new Error("The map is not visible.");
  await page.mouse.move(bounds.x + bounds.width * 0.6, bounds.y + bounds.height * 0.5);
  const endsMs = performance.now() + zoomedMs;
  for (let step = 0; performance.now() < endsMs; step++) {
    await page.mouse.wheel(0, Math.floor(step / 20) % 2 === 0 ? -120 : 120);
    await page.waitForTimeout(50);
  }
  return page.evaluate(() => (globalThis as unknown as { benchFrames: number[] }).benchFrames);
}

/** The map of all voyages with 10,000 containers on 400 vessels and at 22 ports. */
export async function benchmarkMap({ postgresUrl }: { readonly postgresUrl: string }): Promise<Reading[]> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("There is no Chromium on this machine; CHROMIUM_PATH says where one is.");
  const services = await startPageServices(postgresUrl, (database, accountId) =>
    insertSailingContainers(database, accountId, containers),
  );
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ["--disable-gpu"] });
  const closeBrowser = onEnd(() => browser.close());
  const { url, apiBaseUrl, cookie } = services;
  const [name, value] = cookie;
  const [session, authorization] = [{ cookie: `${name}=${value}` }, { authorization: `Token ${value}` }];
  const all = `${apiBaseUrl}/container_positions`;

  const body = await readBody(all, authorization);
  const { features } = JSON.parse(body.toString("utf8"));
  const page = await readBody(`${url}/map`, session);
  const places = await readBody(`${url}/map/places.json`, session);
  const apiTimes = await timesOf(all, authorization);
  const filteredTimes = await timesOf(`${apiBaseUrl}/container_positions?filter[delayed_by_days]=2`, authorization);
  const pageTimes = await timesOf(`${url}/map`, session);
  const visits: { serverDrawnMs: number; drawnMs: number }[] = [];
  let frames: number[] = [];
  for (let round = 0; round < pageLoads; round++) {
    const { page: opened, close, ...times } = await openMap(browser, services);
    visits.push(times);
    if (round === pageLoads - 1) frames = await zoomFrames(opened);
    await close();
  }
  await closeBrowser();
  await services.stop();

  const secondsOf = (key: "serverDrawnMs" | "drawnMs"): string =>
    `${(median(visits.map((visit) => visit[key])) / 1_000).toFixed(1)} s`;
  const lines = [
    "| Measured | |",
    "|---|---|",
    `| GET /container_positions, ${features.length} positions | ${apiTimes} |`,
    `| the same, late by 2 days or more | ${filteredTimes} |`,
    `| its body | ${sizes(body)} |`,
    `| the page, with that request | ${pageTimes}; ${sizes(page)} |`,
    `| what its script loads of places | ${sizes(places)} |`,
    `| first visit: the map that the server draws is shown after | ${secondsOf("serverDrawnMs")} |`,
    `| first visit: the map with clusters is drawn after | ${secondsOf("drawnMs")} |`,
    `| frames while zooming, software WebGL | median ${quantile(frames, 0.5).toFixed(0)} ms, p95 ${quantile(frames, 0.95).toFixed(0)} ms |`,
  ];
  return [{ name: "Map of 10,000 containers", lines }];
}
