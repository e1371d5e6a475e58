import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Request, type Response, Router } from "express";

/** Folder of the built assets. Its path is the same relative to this file and to the bundle. */
const folder = fileURLToPath(new URL("../dist/assets/", import.meta.url));

const contentTypes = { ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8" } as const;

/** Brotli of quality 9: 1.0 MB of the renderer's 4.4 MB, in 0.4 s. The best quality takes ten seconds. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const encoders: Readonly<Record<"br" | "gzip" | "identity", (content: Buffer) => Promise<Buffer>>> = {
  br: (content) => promisify(brotliCompress)(content, brotliOptions),
  gzip: promisify<Buffer, Buffer>(gzip),
  identity: async (content) => content,
};

export interface ReferenceAsset {
  /** `<name>.<hash>.<extension>`: changes with the content, so that browsers can cache it. */
  readonly name: string;
  readonly contentType: string;
  /** Encoded bodies; each is created for the first request that accepts it, and kept. */
  contentIn(encoding: keyof typeof encoders): Promise<Buffer>;
}

/** A file of `dist/assets`, for example "scalar.js". Throws when it is not built. */
function readAsset(file: string): ReferenceAsset {
  const address = path.join(folder, file);
  if (!fs.existsSync(address)) {
    throw new Error(`${address} is not built: npm run x -- turbo run build --filter @svc/api`);
  }
  const { name, ext } = path.parse(file);
  const hash = createHash("sha256").update(fs.readFileSync(address)).digest("hex").slice(0, 16);
  const contents = new Map<string, Promise<Buffer>>();
  return {
    name: `${name}.${hash}${ext}`,
    contentType: contentTypes[ext as keyof typeof contentTypes],
    contentIn(encoding) {
      const known = contents.get(encoding);
      if (known) return known;
      const encoded = fs.promises.readFile(address).then(encoders[encoding]);
      contents.set(encoding, encoded);
      encoded.catch(() => contents.delete(encoding));
      return encoded;
    },
  };
}

/** The renderer, our configuration of it, and the style. Read when the reference is first requested. */
export const readReferenceAssets = () => ({
  renderer: readAsset("scalar.js"),
  configuration: readAsset("reference.js"),
  style: readAsset("style.css"),
});

export type ReferenceAssets = ReturnType<typeof readReferenceAssets>;

/** Serves the files by their names with the hash; another name is left to the next handler. */
export function serveReferenceAssets(assets: () => ReferenceAssets): Router {
  return Router().get("/:name", async (request: Request<{ name: string }>, response: Response, next) => {
    const asset = Object.values(assets()).find(({ name }) => name === request.params.name);
    if (!asset) return next();
    const accepted = request.acceptsEncodings(["br", "gzip", "identity"]) || "identity";
    const encoding = accepted === "br" || accepted === "gzip" ? accepted : "identity";
    const content = await asset.contentIn(encoding);
    response.writeHead(200, {
      "Content-Type": asset.contentType,
      "Content-Length": content.length,
      ...(encoding !== "identity" && { "Content-Encoding": encoding }),
      "Cache-Control": "public, max-age=31536000, immutable",
      Vary: "Accept-Encoding",
      "X-Content-Type-Options": "nosniff",
    });
    response.end(request.method === "HEAD" ? undefined : content);
  });
}
