import http from "node:http";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShipment, password, startTestWeb } from "@svc/web/testing";
import { deepLink } from "./find-route.ts";

const app = started(() => startTestWeb({ withApi: true, extend: deepLink }));
let cookie: string;

const account = started(() => app.addAccount());
beforeAll(async () => {
  cookie = await app.logIn(account);
});

/** Returns the address that a browser is redirected to. */
async function find(query: string): Promise<string | null> {
  const response = await app.request(`/shipments/find${query}`, { headers: { cookie } });
  expect(response.status).toBe(302);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return response.headers.get("location");
}

/** The list with the same search. */
async function search(queryText: string): Promise<string> {
  return (await app.request(`/shipments?q=${queryText}`, { headers: { cookie } })).text();
}

describe("GET /shipments/find [spec: deep_link.address, service.6]", () => {
  test("redirects to the page of each rule [spec: deep_link.1, deep_link.2, deep_link.3, deep_link.4, deep_link.5]", async () => {
    const { id, containerIds } = await addShipment(app.database, account.id, {
      number: "MAEU100000001",
      refNumbers: ["PO 4711/A"],
      containers: ["MSKU1000001", "MSKU1000002"],
    });
    expect(await find("?q=msku%20100000-2")).toBe(`/shipments/${id}?container=${containerIds[1]}`);
    // The number is as word processors and chats write it: a long dash, a non-breaking space, a directional mark.
    expect(await find("?q=%E2%80%8Emsku%C2%A0100000%E2%80%932")).toBe(`/shipments/${id}?container=${containerIds[1]}`);
    expect(await find("?q=maeu100000001")).toBe(`/shipments/${id}`);
    expect(await find("?q=po+4711%2Fa")).toBe(`/shipments/${id}`);
    expect(await find("?q=1000001")).toBe(`/shipments/${id}?container=${containerIds[0]}`);
    expect(await find("?q=4711")).toBe(`/shipments/${id}`);
    expect(await find("?q=NOWHERE")).toBe("/shipments?q=NOWHERE");
  });

  /** Requests the path without a login, logs in, and returns where the login leads. */
  async function afterLogin(path: string): Promise<{ location: string | null; cookie: string }> {
    const location = await new Promise<string>((resolve, reject) => {
      // The path is sent unchanged, whereas fetch rewrites a backslash.
      http
        .get({ host: new URL(app.url).hostname, port: new URL(app.url).port, path }, (response) => {
          response.resume();
          resolve(response.headers.location ?? "");
        })
        .once("error", reject);
    });
    expect(location).toMatch(/^\/login\?next=/);
    const login = await app.request(location);
    const next = (/name="next" value="([^"]*)"/.exec(await login.text())?.[1] ?? "").replaceAll("&amp;", "&");
    const reply = await app.request("/login", { form: { email: account.email, password, next } });
    const cookie = reply.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    return { location: reply.headers.get("location"), cookie };
  }

  test("the login leads back to the link that asked for it, and on to the container", async () => {
    const { id, containerIds } = await addShipment(app.database, account.id, {
      number: "LOG1",
      containers: ["LOGU1000001"],
    });
    const { location, cookie } = await afterLogin("/shipments/find?q=LOGU%20100000-1");
    expect(location).toBe("/shipments/find?q=LOGU%20100000-1");
    const found = await app.request(location ?? "", { headers: { cookie } });
    expect(found.headers.get("location")).toBe(`/shipments/${id}?container=${containerIds[0]}`);
  });

  test("keeps the query through the login", async () => {
    const long = `/shipments/find?q=${"%F0%9F%9A%A2".repeat(200)}`;
    const requestedPaths = ["/shipments/find?q=PO\\4711", "/shipments/find?q=a%26b&other=1", long];
    const expected = ["/shipments/find?q=PO%5C4711", "/shipments/find?q=a%26b&other=1", long];
    for (const [index, path] of requestedPaths.entries())
      expect((await afterLogin(path)).location).toBe(expected[index]);
  });

  test.each([
    ["", "/shipments"],
    ["?q=", "/shipments"],
    ["?q=%20%20", "/shipments"],
    ["?q=a%26status%3Dx%23y", "/shipments?q=a%26status%3Dx%23y"],
    ["?q=%00", "/shipments?q=%00"],
    ["?q=%E0%A4%A", "/shipments?q=%EF%BF%BD%EF%BF%BD%A"],
    [`?q=${"x".repeat(500)}`, `/shipments?q=${"x".repeat(500)}`],
    ["?q=first&q=second", "/shipments?q=first"],
    ["?q=https%3A%2F%2Fevil.example", "/shipments?q=https%3A%2F%2Fevil.example"],
    ["?q=%0D%0ALocation%3A%20x", "/shipments?q=%0D%0ALocation%3A%20x"],
  ])("%s leads to %s", async (query, location) => {
    const found = await find(query);
    // How a broken percent sequence is read is the decoder's affair, as long as it is an answer and a list.
    if (query.includes("%E0")) expect(found).toMatch(/^\/shipments\?q=/);
    else expect(found).toBe(location);
  });

  test("does not find shipments of another account [spec: deep_link.account]", async () => {
    const other = await app.addAccount();
    await addShipment(app.database, other.id, { number: "OTHR1", refNumbers: ["THEIRS"], containers: ["OTHU1000001"] });
    for (const queryText of ["OTHR1", "THEIRS", "OTHU1000001", "OTHU"]) {
      expect(await find(`?q=${queryText}`)).toBe(`/shipments?q=${queryText}`);
    }
  });

  test("opens the newest of several matching shipments [spec: deep_link.first]", async () => {
    await addShipment(app.database, account.id, {
      number: "SEV1",
      refNumbers: ["SEVERAL"],
      createdAt: "2026-05-02T00:00:00Z",
    });
    const { id } = await addShipment(app.database, account.id, {
      number: "SEV2",
      refNumbers: ["SEVERAL"],
      createdAt: "2026-05-03T00:00:00Z",
    });
    await addShipment(app.database, account.id, {
      number: "SEV3",
      refNumbers: ["SEVERAL"],
      createdAt: "2026-05-01T00:00:00Z",
    });
    expect(await find("?q=several")).toBe(`/shipments/${id}`);
  });

  test("strips separators from container numbers only, so that a partial shipment number must be as written [spec: deep_link.separators]", async () => {
    const { id, containerIds } = await addShipment(app.database, account.id, {
      number: "SEPA-90 7711",
      refNumbers: ["LOT 55-66"],
      containers: ["SEPU7000001"],
    });
    await app.database.prisma.shipment.updateMany({ where: { id }, data: { normalizedNumber: "SEPA907711" } });
    expect(await find("?q=sepu%2070-00")).toBe(`/shipments/${id}?container=${containerIds[0]}`);
    for (const written of ["epa-90%2077", "epa9077", "ot%2055-6"])
      expect(await find(`?q=${written}`)).toBe(`/shipments/${id}`);
    for (const otherwise of ["epa%2090-77", "ot%205566", "ot-55%2066", "sepu.70", "epu7%2F0"]) {
      expect(await find(`?q=${otherwise}`)).toBe(`/shipments?q=${otherwise}`);
    }
    await expect(search("ot%205566")).resolves.toContain("No shipments match");
    await expect(search("sepu.70")).resolves.toContain("No shipments match");
    // A search shows more than the link may lead to: a part of a number, however it is separated.
    await expect(search("epa%2090-77")).resolves.toContain(`/shipments/${id}`);
  });

  test("finds the same shipments as the search of the list", async () => {
    const { id } = await addShipment(app.database, account.id, {
      number: "BOTH90.7711",
      refNumbers: ["Pal 5/6"],
      containers: ["BOTU7000001"],
    });
    for (const queryText of [
      "both%2090-7711",
      "BOTH/907711",
      "oth90.77",
      "bo%20tu-7000001",
      "tu%2070",
      "pal%E2%80%8B%205/6",
    ]) {
      expect(await find(`?q=${queryText}`)).toMatch(new RegExp(`^/shipments/${id}`));
      expect(await search(queryText)).toContain(`/shipments/${id}`);
    }
  });

  test("a program gets the resolution as JSON", async () => {
    const { id, containerIds } = await addShipment(app.database, account.id, {
      number: "JSON1",
      containers: ["JSNU1000001"],
    });
    const lookup = async (queryText: string) => {
      const headers = { authorization: `Token ${account.token}`, accept: "application/json" };
      const response = await app.request(`/shipments/find?q=${queryText}`, { headers });
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      return response.json();
    };
    expect(await lookup("jsnu1000001")).toEqual({
      query: "jsnu1000001",
      match: "exact_container",
      shipment_id: id,
      container_id: containerIds[0],
      url: `${app.url}/shipments/${id}?container=${containerIds[0]}`,
    });
    expect(await lookup("nowhere")).toEqual({
      query: "nowhere",
      match: "none",
      shipment_id: null,
      container_id: null,
      url: `${app.url}/shipments?q=nowhere`,
    });
  });

  test("a token is accepted in both schemes, and redirects like a session", async () => {
    for (const scheme of ["Token", "Bearer", "token"]) {
      const response = await app.request("/shipments/find?q=x1y2z3", {
        headers: { authorization: `${scheme} ${account.token}` },
      });
      expect(response.status).toBe(302);
      expect(response.headers.get("location")).toBe("/shipments?q=x1y2z3");
    }
  });

  test("a wrong token is 401 as JSON:API, and one that may not read 403", async () => {
    const writer = await app.addAccount({ scopes: ["write"] });
    for (const [token, status, code] of [
      ["nonsense", 401, "unauthorized"],
      [writer.token, 403, "forbidden"],
    ] as const) {
      const response = await app.request("/shipments/find?q=a", { headers: { authorization: `Bearer ${token}` } });
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toBe("application/vnd.api+json");
      expect(await response.json()).toMatchObject({ errors: [{ status: String(status), code }] });
      expect(response.headers.get("www-authenticate")).toBe(status === 401 ? "Token" : null);
    }
  });

  test("without a session a browser is redirected to the login, and a program gets 401", async () => {
    const browser = await app.request("/shipments/find?q=MSCU%201234567");
    expect(browser.status).toBe(302);
    expect(browser.headers.get("location")).toBe("/login?next=%2Fshipments%2Ffind%3Fq%3DMSCU%25201234567");
    const program = await app.request("/shipments/find?q=a", { headers: { accept: "application/json" } });
    expect(program.status).toBe(401);
  });
});

describe("limits of requests with API tokens", () => {
  const limited = started(() =>
    startTestWeb({ extend: (database, appUrl) => deepLink(database, appUrl, { searchesPerMinute: 3 }) }),
  );
  const search = async (token: string) => {
    const headers = { authorization: `Token ${token}`, accept: "application/json" };
    const response = await limited.request("/shipments/find?q=NOWHERE", { headers });
    return { status: response.status, retryAfter: Number(response.headers.get("retry-after")) };
  };

  test("count the searches of each account", async () => {
    const [one, other] = [await limited.addAccount(), await limited.addAccount()];
    for (let number = 0; number < 3; number++) expect((await search(one.token)).status).toBe(200);
    const refused = await search(one.token);
    expect(refused.status).toBe(429);
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect((await search(other.token)).status).toBe(200);
  });

  test("count invalid tokens of a network, and serve every valid token", async () => {
    const valid = await limited.addAccount();
    for (let number = 0; number < 60; number++) expect((await search(`invented-${number}`)).status).toBe(401);
    const refused = await search("invented-60");
    expect(refused.status).toBe(429);
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect((await search(valid.token)).status).toBe(200);
  });
});
