/** A browser without pages: it keeps cookies, follows redirects, and stops at those to the application's callback. */
export class CookieBrowser {
  readonly #callback: string;
  readonly #cookies = new Map<string, { value: string; path: string }>();

  constructor(callback: string) {
    this.#callback = callback;
  }

  async open(url: string, form?: Record<string, string>): Promise<{ url: string; status: number; text: string }> {
    const { pathname } = new URL(url);
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      headers: { Accept: "text/html", Cookie: cookie, "Sec-Fetch-Site": "same-origin" },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const location = response.headers.get("location");
    if (location === null) return { url, status: response.status, text: await response.text() };
    const next = new URL(location, url).href;
    return next.startsWith(this.#callback) ? { url: next, status: response.status, text: "" } : this.open(next);
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split("; ");
    const [name = "", value = ""] = pair.split("=");
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? "/";
    if (value === "") this.#cookies.delete(name);
    else this.#cookies.set(name, { value, path });
  }
}
