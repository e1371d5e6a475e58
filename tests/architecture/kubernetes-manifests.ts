import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseAllDocuments } from "yaml";

const root = path.resolve(import.meta.dirname, "../..");

/** An object of the Kubernetes API, as far as tests read it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: unknown;
  /** Data of a ConfigMap or a Secret. */
  readonly data?: Readonly<Record<string, string>>;
}

/**
 * Renders a folder of kubernetes/ as `kubectl kustomize` does, with the example's secrets, and further components.
 * Throws with its message.
 */
export function renderManifests(folder: string, components: readonly string[] = []): Manifest[] {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), "svc-kubernetes-"));
  try {
    fs.cpSync(path.join(root, "kubernetes"), copy, { recursive: true });
    const secrets = path.join(copy, folder, "secrets.env");
    fs.copyFileSync(`${secrets}.example`, secrets);
    if (components.length > 0) {
      const file = path.join(copy, folder, "kustomization.yaml");
      const added = components.map((component) => `  - ${component}\n`).join("");
      fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(/^components:\n/m, `$&${added}`));
    }
    const { status, stdout, stderr } = spawnSync("kubectl", ["kustomize", path.join(copy, folder)], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
  } finally {
    fs.rmSync(copy, { recursive: true, force: true });
  }
}

const modelOf = ({ apiVersion, kind }: Manifest) => `kubernetes-models/${apiVersion}/${kind}`;

/** Kustomize wraps long base64. The API server ignores line breaks in it, the schema's format does not. */
function withUnwrappedData(manifest: Manifest): Manifest {
  if (manifest.kind !== "Secret") return manifest;
  const unwrapped = Object.entries(manifest.data ?? {}).map(([key, value]) => [key, value.replaceAll(/\s/g, "")]);
  return { ...manifest, data: Object.fromEntries(unwrapped) };
}

/** Values that the published schemas of Kubernetes refuse. */
async function invalidValues(manifests: readonly Manifest[]): Promise<string[]> {
  const found: string[] = [];
  for (const manifest of manifests) {
    const models = (await import(modelOf(manifest))) as Record<string, new (data: unknown) => { validate(): void }>;
    const Model = models[manifest.kind];
    if (!Model) throw new Error(`There is no schema of ${manifest.apiVersion} ${manifest.kind}.`);
    try {
      new Model(withUnwrappedData(manifest)).validate();
    } catch (error) {
      found.push(`${manifest.kind} ${manifest.metadata.name}: ${(error as Error).message}`);
    }
  }
  return found;
}

/** Fields that the schemas do not have, which an API server with strict validation refuses: errors of the compiler. */
function unknownFields(manifests: readonly Manifest[]): string[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-kubernetes-types-"));
  try {
    fs.symlinkSync(path.join(root, "tests/node_modules"), path.join(folder, "node_modules"));
    fs.writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
    const source = manifests.map(
      (manifest, index) =>
        `import type { I${manifest.kind} as Type${index} } from "${modelOf(manifest)}";\n` +
        `export const manifest${index}: Type${index} = ${JSON.stringify(manifest, null, 1)};\n`,
    );
    fs.writeFileSync(path.join(folder, "manifests.ts"), source.join(""));
    const compiler = path.join(root, "node_modules/typescript/bin/tsc");
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--pretty", "false", "--types", ""];
    const modules = ["--module", "nodenext", "--target", "esnext"];
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, ...modules, "manifests.ts"], {
      cwd: folder,
      encoding: "utf8",
    });
    return status === 0 ? [] : stdout.trim().split("\n");
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the errors that a strict API server would find in these objects, as far as the published schemas define them.
 */
export async function schemaErrors(manifests: readonly Manifest[]): Promise<string[]> {
  return [...(await invalidValues(manifests)), ...unknownFields(manifests)];
}
