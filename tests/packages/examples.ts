import fs from "node:fs";

/** The TypeScript examples of a Markdown file as one program: later ones go on where earlier ones ended. */
export function exampleProgram(markdownFile: string): string {
  const text = fs.readFileSync(markdownFile, "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code).join("\n");
}
