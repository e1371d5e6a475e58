// Builds every image of docker/Dockerfile with a real builder, runs docker/compose.yml whole and walks it over HTTP:
// `npm run prove:containers`, as root on Debian. What it needs is in a temporary folder, which it removes at the end.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { repository } from "../repository.mjs";
import { createBaseImages } from "./base-images.ts";
import { ContainerEngine } from "./container-engine.ts";
import { DebianRoots, unsupportedMachineReason } from "./debian-root.ts";
import { report, run, runWithOutput, sleep } from "./shell.ts";

const machineIssue = unsupportedMachineReason();
if (machineIssue) {
  console.error(machineIssue);
  process.exit(2);
}

const services = ["api", "mcp", "deeplink", "tracking-worker", "webhook-worker", "carrier-sandbox"];
const token = `svc_live_${randomBytes(20).toString("hex")}`;
const sandbox = `"baseUrl":"http://carrier-sandbox:8080","headers":{"Consumer-Key":"demo"}`;

/** docker/.env of the demo, with a receiver of webhooks in the engine's network. */
const settings = `POSTGRES_PASSWORD=${randomBytes(12).toString("hex")}
SVC_SECRET_KEY=${randomBytes(32).toString("base64")}
SVC_CARRIERS='[{"scac":"SBXL","protocol":"dcsa-2.2",${sandbox}}]'
SVC_TERMINALS='[{"code":"SBXT","protocol":"svc-terminal-1",${sandbox}}]'
SVC_CLOCK_URL=http://carrier-sandbox:8080/_sandbox/clock
SVC_DEMO_TOKEN=${token}
SVC_DEMO_EMAIL=demo@example.com
SVC_DEMO_PASSWORD=${randomBytes(8).toString("hex")}
SVC_WEBHOOK_ALLOW_INSECURE_TARGETS=true
SVC_EGRESS_ALLOW=172.16.0.0/12
`;

/** Copies the files that git would have in a fresh clone with the present changes. */
function copySource(target: string): void {
  const listed = run("git", ["-C", repository, "ls-files", "--cached", "--others", "--exclude-standard"]);
  for (const file of listed.split("\n").filter((name) => fs.existsSync(path.join(repository, name))))
    fs.cpSync(path.join(repository, file), path.join(target, file));
  fs.writeFileSync(path.join(target, "docker/.env"), settings);
}

interface Inspected {
  readonly Id: string;
  readonly Name: string;
  readonly Config: { readonly Labels: Record<string, string> };
  readonly State: {
    readonly Pid: number;
    readonly StartedAt: string;
    readonly Health?: {
      readonly Status: string;
      readonly Log: readonly { readonly Start: string; readonly ExitCode: number }[];
    };
  };
  readonly RestartCount: number;
}

const composed = ["compose", "--file", "/source/docker/compose.yml", "--profile", "demo", "--profile", "admin"];

const inspect = (engine: ContainerEngine, service: string): Inspected => {
  const id = engine.docker(...composed, "ps", "--all", "--quiet", service);
  const [found] = JSON.parse(engine.docker("inspect", id)) as [Inspected];
  return found;
};

function buildImages(engine: ContainerEngine): void {
  for (const service of ["migrate", ...services, "admin"]) {
    const before = performance.now();
    engine.docker(...composed, "build", service);
    const seconds = ((performance.now() - before) / 1_000).toFixed(0);
    const image = `shipment-tracking-${service}`;
    const bytes = Number(engine.docker("image", "inspect", "--format", "{{.Size}}", image));
    report(`${image}: built in ${seconds} s, ${(bytes / 1_048_576).toFixed(0)} MiB with its base`);
  }
}

/** Checks each service: the time until it was healthy, its user, and that it can write to /tmp alone. */
function checkContainers(engine: ContainerEngine): void {
  for (const service of services) {
    const { Id, State } = inspect(engine, service);
    if (State.Health?.Status !== "healthy") throw new Error(`${service} is ${State.Health?.Status}.`);
    const user = engine.docker("exec", Id, "id", "-u");
    if (user !== "1000") throw new Error(`${service} runs as user ${user}.`);
    const write = (file: string) => `if touch ${file} 2>/dev/null; then echo yes; else echo no; fi`;
    const writes = engine.docker("exec", Id, "sh", "-c", `${write("/app/x")}; ${write("/tmp/x")}`);
    if (writes !== "no\nyes") throw new Error(`${service} can write to /app and /tmp: ${writes}.`);
    const first = State.Health.Log.find(({ ExitCode }) => ExitCode === 0);
    const delayMs = Date.parse(first?.Start ?? "") - Date.parse(State.StartedAt);
    report(`${service}: user 1000, read-only, healthy at its check after ${(delayMs / 1_000).toFixed(1)} s`);
  }
  const migrate = inspect(engine, "migrate");
  const state = engine.docker("inspect", "--format", "{{.State.Status}} {{.State.ExitCode}}", migrate.Id);
  if (state !== "exited 0") throw new Error(`migrate is ${state}.`);
  const accounts = engine.docker(...composed, "run", "--rm", "admin", "accounts", "list");
  if (!accounts.includes("Demo Forwarding")) throw new Error(`svc-admin does not list the demo account:\n${accounts}`);
  report("migrate has exited with 0, and admin lists the demo account");
}

/** Kills the process of a container from outside, as the kernel does when memory runs out. */
async function killAndAwait(engine: ContainerEngine, service: string): Promise<void> {
  const before = inspect(engine, service);
  process.kill(before.State.Pid, "SIGKILL");
  const started = performance.now();
  for (;;) {
    const { State, RestartCount } = inspect(engine, service);
    if (RestartCount > before.RestartCount && State.Health?.Status === "healthy") break;
    if (performance.now() - started > 60_000) throw new Error(`${service} did not come back.`);
    await sleep(500);
  }
  report(`${service}: healthy ${((performance.now() - started) / 1_000).toFixed(1)} s after it was killed`);
}

// An interrupted program ends, its failure is caught below, and everything is removed.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

const folder = fs.mkdtempSync("/var/tmp/svc-containers-");
fs.chmodSync(folder, 0o755);
let engine: ContainerEngine | undefined;
try {
  const roots = new DebianRoots(folder);
  const root = roots.make("engine", "forky", [
    "ca-certificates",
    "iproute2",
    "iptables",
    "nftables",
    "procps",
    "docker.io",
    "docker-cli",
    "docker-buildx",
    "docker-compose",
    "containerd",
    "runc",
  ]);
  engine = new ContainerEngine(root);
  await engine.start();
  createBaseImages(engine, roots, folder, root);
  copySource(path.join(root, "source"));
  buildImages(engine);
  const before = performance.now();
  engine.docker(...composed, "up", "--wait", "--no-build", ...services);
  report(`docker compose up --wait: ${((performance.now() - before) / 1_000).toFixed(0)} s`);
  checkContainers(engine);
  const gateway = "{{range .IPAM.Config}}{{.Gateway}}{{end}}";
  const address = engine.docker("network", "inspect", "--format", gateway, "shipment-tracking_default");
  const walk = path.join(import.meta.dirname, "container-walk.ts");
  await runWithOutput(...engine.inNetwork(process.execPath, walk, token, address));
  await killAndAwait(engine, "webhook-worker");
  await killAndAwait(engine, "api");
  await runWithOutput(...engine.inNetwork(process.execPath, walk, token, address));
  report("everything is proved");
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await engine?.close();
  // Node's own removal needs minutes for so many files.
  run("rm", ["--recursive", "--force", folder]);
}
