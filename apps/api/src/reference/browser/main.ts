interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
}

interface Description {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: object };
}

/** Global of the renderer's browser build, which is loaded after this script. */
declare const Scalar: { createApiReference(element: Element, configuration: object): void };

const slug = (text: string): string => text.toLowerCase().replaceAll(" ", "-");

/** Anchors of operations by their ids: `#tag/shipments/getShipment`. */
function operationAnchors({ paths }: Description): ReadonlyMap<string, string> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return new Map(
    operations.flatMap(({ operationId, tags = [] }) =>
      operationId && tags[0] ? [[`#${operationId}`, `#tag/${slug(tags[0])}/${operationId}`]] : [],
    ),
  );
}

/** The API takes the token after `Bearer` too: the reader pastes the token alone. */
function withBearerToken(description: Description, tokensPage: string): object {
  const token = {
    type: "http",
    scheme: "bearer",
    description: `An API token. [Create one](${tokensPage}) in the web application. This page keeps it in memory only.`,
  };
  return {
    ...description,
    // The page may call its own origin only; the description names the public address.
    servers: [{ url: new URL("v2", location.href).href }],
    components: { ...description.components, securitySchemes: { token } },
  };
}

/** Clients whose samples the reference hides. It shows those of curl, fetch and requests. */
const hiddenClients = {
  ...Object.fromEntries(
    [
      "c",
      "clojure",
      "csharp",
      "dart",
      "fsharp",
      "go",
      "http",
      "java",
      "julia",
      "kotlin",
      "node",
      "objc",
      "ocaml",
      "php",
    ]
      .concat(["powershell", "r", "ruby", "rust", "swift"])
      .map((language) => [language, true]),
  ),
  js: ["axios", "jquery", "ofetch", "xhr"],
  python: ["aiohttp", "httpx_async", "httpx_sync", "python3"],
  shell: ["httpie", "wget"],
};

async function showReference(element: HTMLElement): Promise<void> {
  const response = await fetch("v2/openapi.json");
  if (!response.ok) throw new Error(`status ${response.status}`);
  const description = (await response.json()) as Description;
  const anchors = operationAnchors(description);
  element.replaceChildren();
  Scalar.createApiReference(element, {
    content: withBearerToken(description, element.dataset.tokensPage ?? ""),
    generateOperationSlug: ({ operationId, method, path }: { operationId?: string; method: string; path: string }) =>
      operationId ?? `${method}${path}`,
    // Anchors of the plain page lead to the same operation.
    redirect: (hash: string) => anchors.get(hash),
    hiddenClients,
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    modelsSectionLabel: "Schemas",
    documentDownloadType: "none",
    persistAuth: false,
    // Features of the renderer that would send requests to other hosts.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
  });
}

function showFailure(element: HTMLElement, error: unknown): void {
  const notice = document.createElement("p");
  notice.className = "notice";
  const reason = error instanceof Error ? error.message : String(error);
  notice.textContent = `The description of the API could not be loaded (${reason}). Reload the page, or use the plain page.`;
  element.replaceChildren(notice);
}

// Setting of zod, a part of the renderer: without it, zod tries whether it may compile code, which the policy forbids.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** Errors of the API link to their code here; the plain page explains them. */
function leavesForError(): boolean {
  const isError = location.hash.startsWith("#error-");
  if (isError) location.replace(`docs/plain${location.hash}`);
  return isError;
}

if (!leavesForError()) {
  window.addEventListener("hashchange", leavesForError);
  document.addEventListener("DOMContentLoaded", () => {
    const element = document.querySelector<HTMLElement>("#reference");
    if (element) showReference(element).catch((error: unknown) => showFailure(element, error));
  });
}
