/** The projects of jest.config.mjs. */
const projects = new Set(["unit", "integration", "long", "e2e", "browser", "pages", "faults"]);

/** Jest takes every argument that follows `--selectProjects` for a project, so paths and other options come first. */
export function projectsLast(args: readonly string[]): readonly string[] {
  const at = args.indexOf("--selectProjects");
  if (at < 0) return args;
  let end = at + 1;
  while (projects.has(args[end] ?? "")) end += 1;
  return [...args.slice(0, at), ...args.slice(end), ...args.slice(at, end)];
}
