import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { serviceVariables } from "@svc/service-kit/service-variables";
import { parse } from "yaml";
import { bundledApps } from "../../scripts/bundle-dependencies.ts";
import { type Manifest, renderManifests, schemaErrors } from "./kubernetes-manifests.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8");

const isInstalled = spawnSync("kubectl", ["version", "--client"]).status === 0;
const describeRendered = isInstalled ? describe : describe.skip;
const why = isInstalled ? "" : " (skipped: kubectl is not installed; it renders the manifests)";

interface KeyReference {
  readonly key: string;
  readonly optional?: boolean;
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly { readonly name: string; readonly valueFrom?: Record<string, KeyReference> }[];
  readonly resources?: { readonly requests?: object; readonly limits?: object };
  readonly securityContext?: object;
  readonly readinessProbe?: object;
}

interface Workload {
  readonly replicas?: number;
  readonly template: {
    readonly metadata: { readonly labels: Record<string, string> };
    readonly spec: {
      readonly containers: readonly Container[];
      readonly securityContext?: object;
      readonly automountServiceAccountToken?: boolean;
      readonly terminationGracePeriodSeconds?: number;
      readonly topologySpreadConstraints?: readonly object[];
    };
  };
}

interface PodPolicy {
  readonly podSelector: { readonly matchExpressions: readonly [{ readonly values: readonly string[] }] };
}

const workloads = (manifests: readonly Manifest[]) =>
  manifests
    .filter(({ kind }) => kind === "Deployment" || kind === "Job")
    .map(({ kind, metadata, spec }) => ({ kind, name: metadata.name, spec: spec as Workload }));

const namesOf = (manifests: readonly Manifest[], kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name);

const deployed = ["api", "deeplink", "mcp", "tracking-worker", "webhook-worker"];
/** Set by the image; the others would lend an account to callers without a token. */
const left = new Set(["PORT", "HOST", "SVC_API_TOKEN", "SVC_MCP_LEND_TOKEN"]);
const overlays = ["example", "demo"];

describeRendered(`kubernetes/${why}`, () => {
  const rendered = new Map(isInstalled ? overlays.map((overlay) => [overlay, renderManifests(overlay)]) : []);
  const manifestsOf = (overlay: string) => rendered.get(overlay) ?? [];

  test.each(overlays)("%s passes the published schemas, without unknown fields", async (overlay) => {
    expect(manifestsOf(overlay).length).toBeGreaterThan(20);
    expect(await schemaErrors(manifestsOf(overlay))).toEqual([]);
  });

  test("autoscaling by queue age passes the published schemas and sets no number of workers beside it", async () => {
    const copy = renderManifests("example", ["../components/queue-age"]);
    expect(await schemaErrors(copy)).toEqual([]);
    expect(namesOf(copy, "HorizontalPodAutoscaler").toSorted()).toEqual(deployed);
    const workers = workloads(copy).filter(({ name }) => name.endsWith("-worker"));
    expect(workers.map(({ spec }) => spec.replicas)).toEqual([undefined, undefined]);
  });

  test("a misspelt field and a wrong type are found", async () => {
    const [api] = manifestsOf("example").filter(
      ({ kind, metadata }) => kind === "Deployment" && metadata.name === "api",
    );
    const spec = api?.spec as Record<string, unknown>;
    expect((await schemaErrors([{ ...(api as Manifest), spec: { ...spec, replica: 2 } }])).join()).toContain(
      '"replica"',
    );
    expect(await schemaErrors([{ ...(api as Manifest), spec: { ...spec, replicas: "2" } }])).not.toEqual([]);
  });

  test("every service, the migrations and the operator's commands run from the images of the Dockerfile", () => {
    const images = new Set(
      workloads(manifestsOf("demo")).flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image)),
    );
    const ownImages = [...bundledApps(root).map((app) => path.basename(app)), "persistence"].map((app) => `svc-${app}`);
    expect([...images].filter((image) => image.startsWith("svc-")).toSorted()).toEqual(ownImages.toSorted());
  });

  test("every variable of a service can be set, secrets by the Secret only", () => {
    for (const [service, variables] of Object.entries(serviceVariables)) {
      if (service === "mcp-stdio") continue;
      const { spec } = workloads(manifestsOf("demo")).find(({ name }) => name === service) ?? {};
      const environment = spec?.template.spec.containers[0]?.env ?? [];
      const passed = new Set(environment.map(({ name }) => name));
      const missing = variables.filter(({ name }) => !passed.has(name) && !left.has(name)).map(({ name }) => name);
      expect([service, missing]).toEqual([service, []]);
      const secrets = new Set(variables.filter(({ isSecret }) => isSecret).map(({ name }) => name));
      for (const { name, valueFrom } of environment) {
        expect(["HOST", "SVC_API_TOKEN", "SVC_MCP_LEND_TOKEN"]).not.toContain(name);
        if (secrets.has(name) || name === "DATABASE_URL") expect([name, valueFrom]).toHaveProperty("1.secretKeyRef");
      }
    }
  });

  test("every service that follows the demo's clock may connect to the sandbox carrier", () => {
    const policy = manifestsOf("demo").find(
      ({ kind, metadata }) => kind === "NetworkPolicy" && metadata.name === "to-sandbox",
    );
    const selected = (policy?.spec as PodPolicy | undefined)?.podSelector.matchExpressions[0].values ?? [];
    const followers = deployed.filter((service) =>
      (serviceVariables[service] ?? []).some(({ name }) => name === "SVC_CLOCK_URL"),
    );
    expect(selected.toSorted()).toEqual(followers);
  });

  test.each(overlays)("%s has every value without which a pod does not start", (overlay) => {
    const manifests = manifestsOf(overlay);
    const keysOf = (kind: string) =>
      manifests.filter((manifest) => manifest.kind === kind).flatMap(({ data = {} }) => Object.keys(data));
    const required = { configMapKeyRef: new Set<string>(), secretKeyRef: new Set<string>() };
    const environments = workloads(manifests).flatMap(({ spec }) => spec.template.spec.containers[0]?.env ?? []);
    for (const { configMapKeyRef: setting, secretKeyRef: secret } of environments.map(
      ({ valueFrom = {} }) => valueFrom,
    )) {
      if (setting && !setting.optional) required.configMapKeyRef.add(setting.key);
      if (secret && !secret.optional) required.secretKeyRef.add(secret.key);
    }
    expect([...required.secretKeyRef]).toEqual(expect.arrayContaining(["DATABASE_URL", "SVC_SECRET_KEY"]));
    expect(keysOf("ConfigMap")).toEqual(expect.arrayContaining([...required.configMapKeyRef]));
    expect(keysOf("Secret")).toEqual(expect.arrayContaining([...required.secretKeyRef]));
  });

  test("every container runs without privileges, in a read-only file system, with measured resources", () => {
    const ownWorkloads = workloads([...manifestsOf("example"), ...manifestsOf("demo")]).filter(
      ({ name }) => !["postgres", "redis"].includes(name),
    );
    expect(ownWorkloads.length).toBe(15);
    for (const { name, spec } of ownWorkloads) {
      const { securityContext, automountServiceAccountToken, containers } = spec.template.spec;
      expect([name, securityContext]).toMatchObject([name, { runAsNonRoot: true, runAsUser: 1000 }]);
      expect([name, automountServiceAccountToken]).toEqual([name, false]);
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(container.resources).toMatchObject({ requests: { memory: expect.any(String) }, limits: {} });
      }
    }
  });

  test("every service has probes, a disruption budget and is spread over zones and nodes", () => {
    const manifests = manifestsOf("example");
    expect(namesOf(manifests, "PodDisruptionBudget").toSorted()).toEqual(deployed);
    for (const { name, spec } of workloads(manifests).filter((workload) => deployed.includes(workload.name))) {
      expect([name, spec.template.spec.topologySpreadConstraints?.length]).toEqual([name, 2]);
      expect(spec.template.spec.containers[0]).toMatchObject({
        readinessProbe: {},
        livenessProbe: {},
        startupProbe: {},
      });
    }
  });

  test("the default policy denies traffic to every pod of the product, and to no store", () => {
    for (const { name, spec } of workloads(manifestsOf("demo"))) {
      const isOwnPod = spec.template.metadata.labels["app.kubernetes.io/part-of"] === "shipment-tracking";
      expect([name, isOwnPod]).toEqual([name, !["postgres", "redis", "carrier-sandbox"].includes(name)]);
    }
  });
});

test("the metrics of autoscaling exist and are those that the adapter makes", () => {
  const { rules } = parse(read("kubernetes/components/queue-age/adapter-rules.yaml")) as {
    rules: { external: { seriesQuery: string; name: { as: string }; metricsQuery: string }[] };
  };
  const autoscalers = read("kubernetes/components/queue-age/autoscalers.yaml");
  const metricNames = [...autoscalers.matchAll(/metric: \{ name: (\w+) \}/g)].map(([, name]) => name);
  expect(rules.external.map(({ name }) => name.as).toSorted()).toEqual(metricNames.toSorted());
  const documented = read("docs/observability.md");
  for (const { seriesQuery, metricsQuery } of rules.external) {
    expect(documented).toContain(`\`${seriesQuery.replace(/_bucket$/, "")}\``);
    expect(metricsQuery).toContain(seriesQuery);
  }
});
