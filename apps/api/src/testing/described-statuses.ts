import fs from "node:fs";
import { committedOpenApi } from "../openapi/published-description.ts";

type Operations = Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> } | undefined>>;

/** The committed description, which is read faster than built; openapi.test.ts proves that both are the same. */
const { paths } = JSON.parse(fs.readFileSync(committedOpenApi, "utf8")) as {
  readonly paths: Readonly<Record<string, Operations>>;
};

/** Paths without parameters come first, as they do when a request is served. */
const templates = Object.entries(paths)
  .toSorted(([one], [other]) => one.split("{").length - other.split("{").length)
  .map(([template, operations]) => ({
    shape: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    operations,
  }));

/** Throws when an operation responds with a status that its published description lacks. `path` is below /v2. */
export function checkStatusIsDescribed(method: string, path: string, status: number): void {
  const [bare = ""] = path.split("?");
  const { operations } = templates.find(({ shape }) => shape.test(bare)) ?? {};
  const operation = operations?.[method === "HEAD" ? "get" : method.toLowerCase()];
  if (operation === undefined || String(status) in operation.responses) return;
  throw new Error(
    `${method} ${bare} responded ${status}, which its description in docs/api/openapi.json does not have.`,
  );
}
