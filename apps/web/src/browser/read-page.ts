/**
 * Fetches the current page of a URL; null when it still has the version. The browser parses the markup without running
 * scripts. Rejects when the page does not exist or the request times out.
 */
export function readPage(
  address: string,
  options: { readonly version?: string; readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Document | null> {
  const { version, signal, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    if (version !== undefined) request.setRequestHeader("If-None-Match", `"${version}"`);
    request.timeout = timeoutMs;
    request.onload = () => {
      if (request.status === 304) resolve(null);
      else if (request.status === 200 && request.response instanceof Document) resolve(request.response);
      else reject(new Error(`The page responded with status ${request.status}.`));
    };
    request.onerror = request.ontimeout = request.onabort = () => reject(new Error("The page did not respond."));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send();
  });
}
