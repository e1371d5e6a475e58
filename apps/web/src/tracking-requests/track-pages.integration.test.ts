import { beforeAll, describe, expect, test } from "@jest/globals";
import { readEventImport } from "@svc/domain/event-imports";
import { uuidV7 } from "@svc/persistence";
import { started } from "@svc/testkit/started";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";
import { readNumbers } from "./read-numbers.ts";

const app = started(() => startTestWeb({ withApi: true }));
let cookie: string;

const account = started(() => app.addAccount());
beforeAll(async () => {
  cookie = await app.logIn(account);
});

const sameOrigin = { "sec-fetch-site": "same-origin" };

describe("forms about what is to be tracked", () => {
  test("ask for a login, and lead back to the page that was asked for", async () => {
    for (const path of [
      "/track?number=A",
      "/track/bulk",
      "/track/import",
      "/track/edi",
      "/tracking-requests?status=failed",
    ]) {
      const response = await app.request(path);
      expect(response.status).toBe(302);
      expect(response.headers.get("location")).toBe(`/login?next=${encodeURIComponent(path)}`);
    }
  });

  test("a request of a program is refused without an API token", async () => {
    for (const path of ["/track", "/track/bulk", "/track/import", "/tracking-requests", "/shipments", "/developers"]) {
      const response = await app.request(path, { headers: { accept: "application/json" } });
      expect([path, response.status, response.headers.get("www-authenticate")]).toEqual([path, 401, "Token"]);
      expect(await response.text()).toContain("Send an API token");
    }
    const sent = await app.request("/track", {
      headers: { accept: "application/json", ...sameOrigin },
      form: { number: "A1" },
    });
    expect(sent.status).toBe(401);
  });

  test("another site cannot send them", async () => {
    for (const path of ["/track", "/track/bulk", "/track/import", "/track/edi"]) {
      for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://elsewhere.test" }, {}]) {
        const response = await app.request(path, { headers: { cookie, ...headers }, form: { number: "A1" } });
        expect(response.status).toBe(403);
      }
    }
  });

  test("show a missing value at its field, and keep the typed values", async () => {
    const input = { number: " ", references: 'PO "1"', tags: "<b>" };
    const response = await app.request("/track", { headers: { cookie, ...sameOrigin }, form: input });
    expect(response.status).toBe(422);
    const markup = await response.text();
    expect(markup).toContain('<p class="problem" id="number-problem">Enter a number.</p>');
    expect(markup).toContain('aria-invalid="true" aria-describedby="number-hint number-problem"');
    expect(markup).toContain('value="PO &quot;1&quot;"');
    expect(markup).toContain('value="&lt;b&gt;"');
    const invalid = await app.request("/track", {
      headers: { cookie, ...sameOrigin },
      form: { ...input, number: "abc" },
    });
    expect(await invalid.text()).toContain("This is no number: it has no digit.");
  });

  test("a checked number has the focus on Track, and says that it is already tracked", async () => {
    const visitor = await app.visit(await app.addAccount());
    const read = async (path: string) => (await visitor.get(path)).text();
    expect(await read("/track")).toContain("<button>Track</button>");
    const checked = await read("/track?number=SBXDIR000921");
    expect(checked).toContain("<button autofocus>Track</button>");
    expect(checked).not.toContain("Already tracked");
    const form = { number: "SBXDIR000921", carrier: "SBXL" };
    expect((await visitor.post("/track", form)).status).toBe(303);
    expect(await read("/track?number=SBXDIR+000921")).toMatch(
      /Already tracked\. <a href="\/shipments\/find\?q=SBXDIR%20000921">/,
    );
  });

  test("an empty list, too long a list and a broken file are refused before anything is sent", async () => {
    const post = async (path: string, fields: Readonly<Record<string, string | File>>) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      const response = await fetch(`${app.url}${path}`, { method: "POST", headers: { cookie, ...sameOrigin }, body });
      return { status: response.status, seen: visibleText(await response.text()) };
    };
    expect(await post("/track/bulk", { numbers: "\n" })).toMatchObject({
      status: 422,
      seen: expect.stringContaining("Enter at least one number."),
    });
    const many = Array.from({ length: 501 }, (_one, index) => `NUMBER${index}`).join("\n");
    expect((await post("/track/bulk", { numbers: many })).seen).toContain(
      "501 numbers are too many at once: 500 at most.",
    );
    const broken = new File(['["A1",'], "numbers.json");
    expect((await post("/track/bulk", { numbers: "A1", file: broken })).seen).toContain(
      "This JSON is no list of numbers.",
    );
    expect((await post("/track/import", { text: "" })).seen).toContain("Choose a file, or paste its text below.");
    expect((await post("/track/import", { file: broken })).seen).toContain("This JSON is no list of events.");
    expect((await post("/track/import", { text: "x".repeat(1_300_000) })).status).toBe(413);
    const headers = { cookie, ...sameOrigin, "content-type": "multipart/form-data; boundary=x" };
    const garbled = await fetch(`${app.url}/track/bulk`, { method: "POST", headers, body: "no parts" });
    expect(garbled.status).toBe(400);
  });

  test("offers files with the columns that it takes and an example", async () => {
    const read = async (path: string) => (await app.request(path, { headers: { cookie } })).text();
    for (const path of ["/track/import", "/track/bulk"]) {
      expect(await read(path)).toContain(`href="${path}/template.csv" download>Download template (CSV)`);
    }
    const events = readEventImport("csv", await read("/track/import/template.csv"));
    expect(events).toMatchObject({ events: [{ scac: "SBXL", number: "SBXDIR000123" }] });
    const numbers = readNumbers(await read("/track/bulk/template.csv"));
    expect(numbers).toMatchObject([{ number: "SBXDIR000123", carrier: "SBXL", references: ["PO-4711"] }]);
    expect(visibleText(await read("/track/import"))).toMatch(/event_code Yes .*LOAD loaded, DISC discharged/);
  });

  test("the list of requests has a state for an empty account, and takes no nonsense", async () => {
    for (const query of ["", "?status=bogus&page=x", "?created=not-ours", "?status=failed"]) {
      const response = await app.request(`/tracking-requests${query}`, { headers: { cookie } });
      expect(response.status).toBe(200);
      expect(visibleText(await response.text())).toMatch(/No tracking requests yet|No requests in this state/);
    }
  });
});

describe("tracking requests on pages", () => {
  const add = async (accountId: string, text: string, refNumbers = [text]): Promise<string> => {
    const id = uuidV7.next();
    const at = new Date();
    await app.database.prisma.trackingRequest.create({
      data: {
        accountId,
        id,
        requestType: "bill_of_lading",
        requestNumber: text,
        normalizedNumber: id.toUpperCase(),
        scac: "SBXL",
        refNumbers,
        shipmentTags: [text],
        status: "pending",
        createdAt: at,
        updatedAt: at,
      },
    });
    return id;
  };

  test("escape their texts, and those that a link fills into the form", async () => {
    const nasty = `"><script>alert(1)</script><img src=x onerror='x'>`;
    const id = await add(account.id, nasty);
    const encoded = encodeURIComponent(nasty);
    for (const path of [
      "/tracking-requests",
      `/tracking-requests?created=${id}`,
      "/shipments",
      `/track?number=${encoded}&references=${encoded}&tags=${encoded}&type=${encoded}&carrier=${encoded}`,
    ]) {
      const response = await app.request(path, { headers: { cookie } });
      // Without the API the number cannot be checked; the test covers the page with that error, too.
      const markup = (await response.text()).replace(
        /<script type="module" src="\/assets\/web\.[0-9a-f]{16}\.js"><\/script>/,
        "",
      );
      expect(markup).not.toMatch(/<script|<img|onerror='/);
      if (response.status === 200) expect(markup).toContain("&lt;script&gt;");
    }
  });

  test("show the first three of many references, and open the others by their number", async () => {
    const own = await app.addAccount();
    await add(own.id, "MANYREFERENCES1", ["PO-1", "PO-2", "PO-3", "PO-4"]);
    await add(own.id, "TWOREFERENCES1", ["PO-8", "PO-9"]);
    const response = await app.request("/tracking-requests", { headers: { cookie: await app.logIn(own) } });
    const markup = await response.text();
    expect(visibleText(markup)).toMatch(/MANYREFERENCES1 PO-1, PO-2, PO-3 MANYREFERENCES1 \+1 PO-4 [A-Z]/);
    expect(visibleText(markup)).toMatch(/TWOREFERENCES1 PO-8, PO-9 [A-Z]/);
  });

  test("the open page is requested again with its version, and is 304 while nothing has changed", async () => {
    const first = await app.request("/tracking-requests", { headers: { cookie } });
    const entityTag = first.headers.get("etag") ?? "";
    expect(await first.text()).toContain(`data-live=${entityTag}`);
    const again = await app.request("/tracking-requests", { headers: { cookie, "if-none-match": entityTag } });
    expect(again.status).toBe(304);
  });

  test("are not shown to another account at any address", async () => {
    const other = await app.addAccount();
    const id = await add(other.id, "THEIRNUMBER1");
    for (const query of ["", `?created=${id}`, `?page=2&created=${id}`]) {
      const response = await app.request(`/tracking-requests${query}`, { headers: { cookie } });
      expect(await response.text()).not.toContain("THEIRNUMBER1");
    }
  });
});

describe("while the API is away", () => {
  test("a form keeps what was typed and says that nothing was tracked", async () => {
    const form = { number: "SBXDIR000001", carrier: "SBXL", references: "PO-9" };
    const alone = await startTestWeb({ database: app });
    const response = await alone.request("/track", { headers: { cookie, ...sameOrigin }, form });
    await alone.close();
    expect(response.status).toBe(422);
    const markup = await response.text();
    expect(visibleText(markup)).toContain("The API is not available. Nothing was tracked. Try again soon.");
    expect(markup).toContain('value="SBXDIR000001"');
    expect(markup).toContain('<option value="SBXL" selected>');
    expect(markup).toContain('value="PO-9"');
  });
});
