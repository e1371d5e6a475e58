import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const repository = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
