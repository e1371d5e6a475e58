/**
 * `pnpm run generate`: builds src/views/browser and writes each view as one self-contained document to
 * src/generated/views.ts, which the server and its packed form contain.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build, type Options } from "tsup";

const folder = path.resolve(import.meta.dirname, "..");
const browser = path.join(folder, "src/views/browser");
const titles = { container: "Container", board: "Shipments and exceptions" };

const sourceHash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Hundredths of a degree, less than two pixels of a map that is 800 pixels wide and shows 30 degrees. */
const finestSteps = 10;

/** One coastline of packages/views/data/land.json without the points that a view of that size cannot show. */
function coarser(steps: readonly number[]): readonly number[] {
  const simplified: number[] = [];
  let [x, y] = [0, 0];
  for (let index = 0; index < steps.length; index += 2) {
    x += steps[index] ?? 0;
    y += steps[index + 1] ?? 0;
    const isFirst = index === 0;
    if (!isFirst && Math.hypot(x, y) < finestSteps) continue;
    simplified.push(x, y);
    [x, y] = [0, 0];
  }
  return simplified;
}

/** The basemap is most of a document that a host fetches for each conversation. */
const coarserLand: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "coarser-land",
  setup({ onLoad }) {
    onLoad({ filter: /land\.json$/ }, async ({ path: file }) => {
      const coasts = JSON.parse(await fs.promises.readFile(file, "utf8")) as number[][];
      return { contents: JSON.stringify(coasts.map(coarser).filter(({ length }) => length >= 8)), loader: "json" };
    });
  },
};

/**
 * Returns the document of a view. Only its script and its style run, and only the template adds markup (Trusted Types).
 */
function renderDocument(title: string, script: string, style: string): string {
  const policy = [
    "default-src 'none'",
    `script-src ${sourceHash(script)}`,
    `style-src ${sourceHash(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types svc-view",
  ].join("; ");
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head>`,
    `<body><main><p class="muted">Loading…</p></main><p class="state-line" role="status"></p>`,
    `<script type="module">${script}</script></body></html>`,
  ].join("");
}

const outDir = fs.mkdtempSync(path.join(os.tmpdir(), "svc-views-"));
try {
  await build({
    entry: {
      container: path.join(browser, "container.ts"),
      board: path.join(browser, "board.ts"),
      style: path.join(browser, "view.css"),
    },
    config: false,
    format: "esm",
    target: "es2023",
    platform: "browser",
    outDir,
    noExternal: [/./],
    esbuildPlugins: [coarserLand],
    minify: true,
    splitting: false,
    dts: false,
    silent: true,
  });
  const read = (file: string) => fs.readFileSync(path.join(outDir, file), "utf8").trim();
  const style = read("style.css");
  const views = Object.entries(titles).map(([name, title]) => [
    name,
    // A text of the script must not end its element.
    renderDocument(title, read(`${name}.js`).replaceAll("</script", "<\\/script"), style),
  ]);
  const generated = path.join(folder, "src/generated");
  fs.mkdirSync(generated, { recursive: true });
  fs.writeFileSync(
    path.join(generated, "views.ts"),
    `/** Written by tools/build-views.ts. */\nexport const views = ${JSON.stringify(Object.fromEntries(views))};\n`,
  );
} finally {
  fs.rmSync(outDir, { recursive: true, force: true });
}
