import { registerHooks } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { seededFaults } from "./faults.ts";

const root = path.resolve(import.meta.dirname, "../..");
const fault = seededFaults.find(({ name }) => name === process.env.SEEDED_FAULT);
const faulty = pathToFileURL(path.join(root, fault.file)).href;

/** Reads one file with a fault in it. The file itself stays as it is. */
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== faulty) return loaded;
    const source = Buffer.from(loaded.source).toString();
    return { ...loaded, source: source.replace(fault.code, () => fault.becomes) };
  },
});
