const loopbackHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1", "[::1]"]);

/** Whether a host name or address, also as a URL has it, is that of this machine. */
export const isLoopbackHost = (host: string): boolean => loopbackHosts.has(host);
