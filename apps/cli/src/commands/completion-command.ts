import { Argument, type Command } from "commander";
import type { ProcessContext } from "../process-context.ts";

interface Completions {
  /** Words before, with spaces between them. */
  readonly path: string;
  readonly next: readonly string[];
}

/** Returns the words that may follow each command: its subcommands and options. */
function collectCompletions(command: Command, path: string): Completions[] {
  const visible = command.commands.filter((child) => child.name() !== "completion");
  const own = [...visible.map((child) => child.name()), ...command.options.map((option) => option.long ?? "")];
  const below = visible.flatMap((child) => collectCompletions(child, `${path} ${child.name()}`.trim()));
  return [{ path, next: own.filter((word) => word !== "") }, ...below];
}

function bash(completions: readonly Completions[]): string {
  const cases = completions.map(({ path, next }) => `    "${path}") words="${next.join(" ")}" ;;`).join("\n");
  return `_svc() {
  local path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  while :; do
    case "$path" in
${cases}
    *) case "$path" in *" "*) path="\${path% *}"; continue ;; *) path=""; continue ;; esac ;;
    esac
    break
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _svc svc
`;
}

const shells = {
  bash,
  zsh: (completions: readonly Completions[]) => `autoload -Uz bashcompinit && bashcompinit\n${bash(completions)}`,
  fish: (completions: readonly Completions[]) =>
    completions
      .flatMap(({ path, next }) => {
        const seen = path
          .split(" ")
          .filter(Boolean)
          .map((word) => `__fish_seen_subcommand_from ${word}`);
        const condition = seen.length > 0 ? seen.join("; and ") : "__fish_use_subcommand";
        return next.map((word) =>
          word.startsWith("--")
            ? `complete -c svc -n '${condition}' -l ${word.slice(2)}`
            : `complete -c svc -f -n '${condition}' -a ${word}`,
        );
      })
      .join("\n")
      .concat("\n"),
};

/** `svc completion bash`: a script for the shell's start file. */
export function addCompletionCommand(program: Command, context: ProcessContext): void {
  program
    .command("completion")
    .description("A script that completes commands; for example: source <(svc completion bash)")
    .addArgument(new Argument("<shell>").choices(Object.keys(shells)))
    .action((shell: keyof typeof shells) => context.write(shells[shell](collectCompletions(program, ""))));
}
