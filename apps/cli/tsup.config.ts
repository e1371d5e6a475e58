import { publishedBundle } from "../../tsup.preset.ts";

/** `npx` fetches one small package. */
export default publishedBundle({ entry: ["src/main.ts"], target: "node22", platform: "node" });
