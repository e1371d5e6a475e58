// @ts-expect-error The configuration of Jest is JavaScript without types.
import config from "../../jest.config.mjs";

const projects = new Set(config.projects.map(({ displayName }: { readonly displayName: string }) => displayName));

/** Jest takes every argument that follows `--selectProjects` for a project, so paths and other options come before it. */
export function projectsLast(args: readonly string[]): readonly string[] {
  const at = args.indexOf("--selectProjects");
  if (at < 0) return args;
  let end = at + 1;
  while (projects.has(args[end] ?? "")) end += 1;
  return [...args.slice(0, at), ...args.slice(end), ...args.slice(at, end)];
}
