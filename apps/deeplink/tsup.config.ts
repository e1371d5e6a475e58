import fs from "node:fs";
import { appBundle } from "../../tsup.preset.ts";

/** The service's bundle, and beside it what the pages of apps/web load. */
export default appBundle(["src/main.ts"], {
  async onSuccess() {
    fs.cpSync("../web/dist/assets", "dist/assets", { recursive: true });
  },
});
