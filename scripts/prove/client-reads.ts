import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

interface Member {
  /** URL of the web application, for the origin of its forms. */
  readonly appUrl: string;
  readonly email: string;
  readonly password: string;
}

/** Reads through the clients of the API: MCP, and pages as a signed-in user. */
export class ClientReads {
  private readonly urlOf: (service: "mcp" | "deeplink") => string;
  private readonly token: string;
  private readonly member: Member;
  /** Cookie of the session. */
  private session: Promise<string> | undefined;

  /** @param urlOf of a process of the service that runs now. */
  constructor(urlOf: (service: "mcp" | "deeplink") => string, token: string, member: Member) {
    this.urlOf = urlOf;
    this.token = token;
    this.member = member;
  }

  /** Calls a tool, in a session of its own. Rejects unless it answers with a result. */
  async callTool(): Promise<void> {
    const requestInit = { headers: { Authorization: `Bearer ${this.token}` } };
    const client = new Client({ name: "proof", version: "1" });
    try {
      await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", this.urlOf("mcp")), { requestInit }));
      const { isError } = await client.callTool({ name: "list_shipments", arguments: {} });
      if (isError) throw new Error("list_shipments answered with an error");
    } finally {
      await client.close();
    }
  }

  /** Rejects unless the page answers 200. */
  async readPage(target: string): Promise<void> {
    this.session ??= this.signIn();
    const headers = { cookie: await this.session, accept: "text/html" };
    const signal = AbortSignal.timeout(20_000);
    const response = await fetch(`${this.urlOf("deeplink")}${target}`, { headers, signal, redirect: "manual" });
    const page = await response.text();
    if (response.status === 200) return;
    const text = /<main.*<\/main>/s.exec(page)?.[0].replace(/<[^>]*>|\s+/g, " ") ?? page;
    throw new Error(`${target} answered ${response.status}: ${text.slice(0, 200)}`);
  }

  private async signIn(): Promise<string> {
    const { appUrl, email, password } = this.member;
    const form = { method: "POST", headers: { origin: appUrl }, body: new URLSearchParams({ email, password }) };
    const response = await fetch(`${this.urlOf("deeplink")}/login`, { ...form, redirect: "manual" });
    const cookie = response.headers.getSetCookie()[0]?.split(";")[0];
    if (response.status !== 303 || cookie === undefined) throw new Error(`Signing in answered ${response.status}`);
    return cookie;
  }
}
