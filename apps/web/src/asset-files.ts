import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Request, type Response, Router } from "express";

/** Folder of the assets: the same path from this file as from the bundle of apps/deeplink, whose build copies them. */
const folder = fileURLToPath(new URL("../dist/assets/", import.meta.url));

interface Asset {
  /** `/assets/<name>.<hash>.<extension>`: changes with the content, so that browsers can cache it. */
  readonly path: string;
  readonly contents: Readonly<Record<"br" | "gzip" | "identity", Buffer>>;
}

function readAsset(file: string): Asset {
  const read = (suffix: string) => fs.readFileSync(path.join(folder, `${file}${suffix}`));
  const identity = read("");
  const { name, ext } = path.parse(file);
  const hash = createHash("sha256").update(identity).digest("hex").slice(0, 16);
  return {
    path: `/assets/${name}.${hash}${ext}`,
    contents: { br: read(".br"), gzip: read(".gz"), identity },
  };
}

function readFolder(): ReadonlyMap<string, Asset> {
  if (!fs.existsSync(folder)) {
    throw new Error(
      "The scripts and styles of the pages are not built: npm run x -- turbo run build --filter @svc/web",
    );
  }
  const files = fs.readdirSync(folder).filter((file) => !/\.(br|gz)$/.test(file));
  return new Map(files.map((file) => [file, readAsset(file)]));
}

const assets = readFolder();

/** URL path of a file of apps/web/src/browser, for example of "web.js". */
export function assetPath(file: string): string {
  const asset = assets.get(file);
  if (!asset) throw new Error(`There is no asset ${file}. Known: ${[...assets.keys()].join(", ")}.`);
  return asset.path;
}

function send(file: string, { contents }: Asset) {
  return (request: Request, response: Response): void => {
    const accepted = request.acceptsEncodings(["br", "gzip", "identity"]) || "identity";
    const encoding = accepted === "br" || accepted === "gzip" ? accepted : "identity";
    if (encoding !== "identity") response.set("Content-Encoding", encoding);
    response.set({ "Cache-Control": "public, max-age=31536000, immutable", Vary: "Accept-Encoding" });
    response.type(path.extname(file)).send(contents[encoding]);
  };
}

/** Serves the files from memory, each as the build has compressed it. */
export function assetRoutes(): Router {
  const router = Router();
  for (const [file, asset] of assets) router.get(asset.path, send(file, asset));
  return router;
}
