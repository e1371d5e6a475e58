// Prints constants of modules that they do not export, as JSON. Reads `{ <file URL>: [<expression>, …] }` from the
// first argument; an expression is evaluated at the end of its module.
import { registerHooks } from "node:module";

const requested = JSON.parse(process.argv[2] ?? "{}");

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const expressions = requested[url];
    if (!expressions) return loaded;
    const members = expressions.map((expression) => `${JSON.stringify(expression)}: ${expression}`);
    const source = Buffer.from(loaded.source).toString();
    return { ...loaded, source: `${source}\nexport const requestedConstants = { ${members.join(", ")} };` };
  },
});

const printed = {};
for (const url of Object.keys(requested)) printed[url] = (await import(url)).requestedConstants;
process.stdout.write(JSON.stringify(printed));
