import { appBundle } from "../../tsup.preset.ts";

/** Only the migration program is built; the package itself is consumed as source. */
export default appBundle(["src/migrate-cli.ts"]);
