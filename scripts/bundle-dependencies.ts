import fs from "node:fs";
import path from "node:path";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

function manifestOf(root: string, member: string): Manifest {
  return JSON.parse(fs.readFileSync(path.join(root, member, "package.json"), "utf8")) as Manifest;
}

/** Names of a member's `dependencies`, for example of "apps/api". */
export function dependenciesOf(root: string, member: string): string[] {
  return Object.keys(manifestOf(root, member).dependencies ?? {});
}

/** The services that are built into one bundle each; what is published (the command line) is packed in its own way. */
export function bundledApps(root: string): string[] {
  const folder = path.join(root, "apps");
  const apps = fs.existsSync(folder) ? fs.readdirSync(folder).map((app) => path.join("apps", app)) : [];
  const isBundled = (app: string) => fs.existsSync(path.join(root, app, "tsup.config.ts"));
  return apps.filter((app) => isBundled(app) && "start" in (manifestOf(root, app).scripts ?? {}));
}

/** Returns the folder of a member by its name: a package, or an app that another one serves. */
function folderOf(root: string, name: string): string {
  const folder = name.slice("@svc/".length);
  return (
    ["packages", "apps"]
      .map((group) => path.join(group, folder))
      .find((member) => fs.existsSync(path.join(root, member))) ?? folder
  );
}

/**
 * The registry packages that an app's bundle takes over from the packages of ours that it inlines. A bundle leaves
 * registry packages external, so the app must have these itself although no file of its own imports them.
 */
export function inlinedDependencies(root: string, member: string): string[] {
  const visited = new Set<string>();
  const follow = (from: string): string[] =>
    dependenciesOf(root, from).flatMap((name) => {
      if (!name.startsWith("@svc/")) return from === member ? [] : [name];
      if (visited.has(name)) return [];
      visited.add(name);
      return follow(folderOf(root, name));
    });
  return [...new Set(follow(member))];
}
