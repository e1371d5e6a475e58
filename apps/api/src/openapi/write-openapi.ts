import { writeFileSync } from "node:fs";
import { routes } from "../routes.ts";
import { buildOpenApi } from "./build-openapi.ts";
import { committedOpenApi, defaultBaseUrl } from "./published-description.ts";

/** Writes the published description: `pnpm --filter @svc/api openapi`. A test fails while it is out of date. */
writeFileSync(committedOpenApi, `${JSON.stringify(buildOpenApi(routes, defaultBaseUrl), null, 2)}\n`);
