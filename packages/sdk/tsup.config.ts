import { publishedBundle } from "../../tsup.preset.ts";

/** Nothing of Node is in it. `tools/finish-package.ts` adds the types. */
export default publishedBundle({
  entry: { index: "src/index.ts", webhooks: "src/webhooks/index.ts" },
  target: "es2022",
  platform: "neutral",
  sourcemap: true,
});
