import { appBundle } from "../../tsup.preset.ts";

export default appBundle();
