import { appBundle } from "../../tsup.preset.ts";

export default appBundle(["src/main.ts", "src/stdio.ts"]);
