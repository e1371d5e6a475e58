import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";
import { eventually } from "@svc/testkit";
import { sizes, type TestBrowser, type Visit } from "./harness/browser.ts";
import { capture } from "./harness/capture.ts";
import { inBrowser } from "./harness/in-browser.ts";
import { typeInto } from "./harness/typing.ts";

const timeoutMs = 120_000;

inBrowser("the page of a shipment", (running) => {
  let database: Database;
  let shipmentId: string;

  /** A shipment of the account of the login, with containers MANU1000001 and on. */
  async function addShipment(number: string, containerCount: number, refNumbers: string[] = []): Promise<string> {
    const { id: accountId } = await database.prisma.account.findFirstOrThrow();
    const id = uuidV7.next();
    const stamps = { createdAt: new Date(), updatedAt: new Date() };
    const containers = Array.from({ length: containerCount }, (_, index) => ({
      id: uuidV7.next(),
      number: `MANU10000${String(index + 1).padStart(2, "0")}`,
      currentStatus: "on_ship",
      ...stamps,
    }));
    await database.prisma.shipment.create({
      data: {
        accountId,
        id,
        billOfLadingNumber: number,
        normalizedNumber: number,
        numberKind: "bill_of_lading",
        shippingLineScac: "SBXL",
        refNumbers,
        ...stamps,
        containers: { create: containers },
      },
    });
    return id;
  }

  beforeAll(async () => {
    database = connectDatabase({
      url: running.system.runtime().databaseUrl,
      applicationName: "test",
      onIdleError: () => undefined,
    });
    shipmentId = await addShipment("MANYBOXES1", 24);
  }, timeoutMs);
  afterAll(async () => {
    await database?.close();
  });

  const visitAs = async (options: Parameters<TestBrowser["visit"]>[1]): Promise<Visit> => {
    return running.signIn("/shipments", options);
  };
  const containerNumbers = ({ page }: Visit) =>
    page.locator('nav[aria-label="Containers"] a:visible .number').allTextContents();

  test.each(Object.entries(sizes))(
    "%s: filters many containers while typing, announces the count, keeps the filter in the URL, and moves by keys",
    async (size, viewport) => {
      const visit = await visitAs({ viewport });
      const { page } = visit;
      await page.goto(`${running.system.runtime().app}/shipments/${shipmentId}`);
      const input = page.getByLabel("Filter the containers");
      const status = page.getByRole("search", { name: "Containers of this shipment" }).getByRole("status");
      expect(await status.textContent()).toBe("24 containers");
      await visit.picture(`many-containers-${size}`);
      expect(await visit.accessibilityProblems()).toEqual([]);
      await page.evaluate(() => Object.assign(window, { stillThere: true }));
      await input.pressSequentially("10000-02");
      expect(await containerNumbers(visit)).toEqual(["MANU1000002"]);
      await input.press("Backspace");
      expect(await containerNumbers(visit)).toHaveLength(9);
      expect(await status.textContent()).toBe("9 of 24 containers");
      expect(new URL(page.url()).searchParams.get("filter")).toBe("10000-0");
      await visit.picture(`many-containers-filtered-${size}`);
      expect(await visit.accessibilityProblems()).toEqual([]);

      // An update of the page applies the same filter and keeps the text of the field.
      const pageResponse = page.waitForResponse((response) => response.url() === page.url());
      await page.evaluate(() => window.dispatchEvent(new Event("online")));
      expect((await pageResponse).status()).toBe(200);
      expect(await containerNumbers(visit)).toHaveLength(9);
      expect(await input.inputValue()).toBe("10000-0");
      await input.press("Enter");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("MANU1000001");
      expect(await page.evaluate(() => "stillThere" in window)).toBe(true);
      await page.keyboard.press("]");
      await page.waitForURL(/container=/);
      expect(await page.locator('nav[aria-label="Containers"] [aria-current="true"]').textContent()).toContain(
        "MANU1000002",
      );
      expect(await containerNumbers(visit)).toHaveLength(9);
      await typeInto(input, "none of them");
      expect(await status.textContent()).toBe("None of 24 containers");
      await page.getByRole("link", { name: "Show all" }).click();
      await page.waitForURL((url) => !url.searchParams.has("filter"));
      expect(await containerNumbers(visit)).toHaveLength(24);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "without a script the form filters many containers",
    async () => {
      const visit = await visitAs({ viewport: sizes.phone, javaScriptEnabled: false });
      const { page } = visit;
      await page.goto(`${running.system.runtime().app}/shipments/${shipmentId}?order=newest`);
      await typeInto(page.getByLabel("Filter the containers"), "manu 100002");
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      expect(await containerNumbers(visit)).toEqual([
        "MANU1000020",
        "MANU1000021",
        "MANU1000022",
        "MANU1000023",
        "MANU1000024",
      ]);
      expect(page.url()).toContain("order=newest&filter=manu+100002");
      await page.getByRole("link", { name: "MANU1000021" }).click();
      expect(page.url()).toContain("order=newest&filter=manu+100002");
      expect(await containerNumbers(visit)).toHaveLength(5);
      await visit.close();
    },
    timeoutMs,
  );

  test.each(Object.entries(sizes))(
    "%s: links to the other shipments with its reference",
    async (size, viewport) => {
      const reference = `ORDER ${size} 2026`;
      const ids = [
        await addShipment(`FIRST${size}`, 1, [reference]),
        await addShipment(`SECOND${size}`, 1, [reference]),
      ];
      const visit = await visitAs({ viewport });
      const { page } = visit;
      await page.goto(
        `${running.system.runtime().app}/shipments/find?q=${encodeURIComponent(reference.toLowerCase())}`,
      );
      expect(page.url()).toContain(ids[1]);
      await visit.picture(`shared-reference-${size}`);
      expect(await visit.accessibilityProblems()).toEqual([]);
      await page.getByRole("link", { name: `FIRST${size}` }).click();
      await page.waitForURL(new RegExp(ids[0] ?? ""));
      await page.getByRole("link", { name: reference }).click();
      await page.waitForURL(/\?q=/);
      expect(await page.locator(".row-link").count()).toBe(2);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "polls the carrier at once by a button, and keeps the page",
    async () => {
      const request = { request_type: "bill_of_lading", request_number: "SBXROL000123", scac: "SBXL" };
      await running.system.api.create("/tracking_requests", "tracking_request", request);
      const id = await eventually("the carrier has reported containers", async () => {
        const { body } = await running.system.api.get("/shipments?q=SBXROL000123");
        const [first] = body.data;
        return (first?.relationships?.containers?.data as unknown[] | undefined)?.length ? first?.id : undefined;
      });
      const visit = await running.signIn(`/shipments/${id}?order=newest`);
      const { page } = visit;
      await page.evaluate(() => Object.assign(window, { stillThere: true }));
      await page.getByRole("button", { name: "Refresh now" }).click();
      await page.locator("main").getByText("is polled now. Its reply appears on this page.").waitFor();
      expect(new URL(page.url()).search).toBe("?order=newest&refresh=polled");
      expect(await page.evaluate(() => "stillThere" in window)).toBe(true);
      await capture(visit, "shipment-refreshed");
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "sends no request in a background tab until it becomes visible",
    async () => {
      const visit = await visitAs({ viewport: sizes.desktop });
      const { page } = visit;
      await page.addInitScript('Object.defineProperty(document, "hidden", { get: () => !window.isSeen })');
      await page.clock.install();
      await page.goto(`${running.system.runtime().app}/shipments/${shipmentId}`, { waitUntil: "networkidle" });
      const requestedUrls: string[] = [];
      page.on("request", (request) => requestedUrls.push(request.url()));
      await page.clock.runFor(120_000);
      expect(requestedUrls).toEqual([]);
      const responded = page.waitForResponse((response) => response.url() === page.url());
      await page.evaluate(() => {
        Object.assign(window, { isSeen: true });
        document.dispatchEvent(new Event("visibilitychange"));
      });
      await responded;
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );
});
