import fs from "node:fs";
import path from "node:path";

/** Names of a member's `dependencies`, for example of "apps/api". */
export function dependenciesOf(root: string, member: string): string[] {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, member, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
  };
  return Object.keys(manifest.dependencies ?? {});
}

/** The apps that are built into one bundle each. */
export function bundledApps(root: string): string[] {
  const folder = path.join(root, "apps");
  const apps = fs.existsSync(folder) ? fs.readdirSync(folder).map((app) => path.join("apps", app)) : [];
  return apps.filter((app) => fs.existsSync(path.join(root, app, "tsup.config.ts")));
}

/**
 * The registry packages that an app's bundle takes over from the packages of ours that it inlines. A bundle leaves
 * registry packages external, so the app must have these itself although no file of its own imports them.
 */
export function inlinedDependencies(root: string, member: string): string[] {
  const seen = new Set<string>();
  const follow = (from: string): string[] =>
    dependenciesOf(root, from).flatMap((name) => {
      if (!name.startsWith("@svc/")) return from === member ? [] : [name];
      if (seen.has(name)) return [];
      seen.add(name);
      return follow(path.join("packages", name.slice("@svc/".length)));
    });
  return [...new Set(follow(member))];
}
