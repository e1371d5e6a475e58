/** One instruction of a Dockerfile, continuation lines joined. */
export interface Instruction {
  readonly keyword: "FROM" | "ARG" | "ENV" | "WORKDIR" | "COPY" | "RUN" | "USER" | "EXPOSE" | "HEALTHCHECK" | "CMD";
  readonly words: string;
}

/** What stands between one FROM and the next. */
export interface Stage {
  readonly name: string;
  /** Another stage or an image. */
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

const keywords = new Set(["FROM", "ARG", "ENV", "WORKDIR", "COPY", "RUN", "USER", "EXPOSE", "HEALTHCHECK", "CMD"]);

function readInstruction(line: string): Instruction {
  const [keyword = ""] = line.split(" ", 1);
  if (!keywords.has(keyword)) throw new Error(`The Dockerfile's ${keyword} is not understood here.`);
  return { keyword: keyword as Instruction["keyword"], words: line.slice(keyword.length).trim() };
}

/** Reads the instructions that docker/Dockerfile uses; throws on any other, so that none is skipped in silence. */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const instruction of lines.map(readInstruction)) {
    if (instruction.keyword === "FROM") {
      const [base = "", , name = "final"] = instruction.words.split(" ");
      stages.push({ name, base, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new Error("The Dockerfile must begin with FROM.");
      stage.instructions.push(instruction);
    }
  }
  return stages;
}

/** `A=1 B=2` of an ENV instruction. */
export function readVariables(words: string): Record<string, string> {
  return Object.fromEntries(words.split(" ").map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
}

export interface Copy {
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

/** The operands of a COPY instruction. */
export function readCopy(words: string): Copy {
  const all = words.split(" ");
  const from = all.find((word) => word.startsWith("--from="))?.slice("--from=".length);
  const operands = all.filter((word) => !word.startsWith("--"));
  return { from, sources: operands.slice(0, -1), target: operands.at(-1) ?? "" };
}

/** The exec form (`["node", "main.js"]`) that ends a CMD or HEALTHCHECK instruction. */
export function readExecForm(words: string): string[] {
  return JSON.parse(words.slice(words.indexOf("["))) as string[];
}
