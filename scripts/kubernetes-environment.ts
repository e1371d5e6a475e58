/** A variable of a service, as in service-variables.json. */
interface Variable {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
}

/** Set by the image or by the port of the metrics; the other two would lend an account to callers without a token. */
const left = new Set(["PORT", "HOST", "METRICS_PORT", "SVC_API_TOKEN", "SVC_MCP_LEND_TOKEN"]);

/** Addresses that contain a password, beside the variables that are secrets by name. */
const addresses = new Set([
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "SVC_DATABASE_READ_URL",
  "REDIS_URL",
  "SVC_QUEUE_URL",
]);

const isCredential = ({ name, isSecret }: Variable): boolean => isSecret || addresses.has(name);

const traces: readonly Variable[] = [
  { name: "OTEL_EXPORTER_OTLP_ENDPOINT", isRequired: false, isSecret: false },
  { name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", isRequired: false, isSecret: false },
  { name: "OTEL_EXPORTER_OTLP_HEADERS", isRequired: false, isSecret: true },
];

function entry(variable: Variable): string[] {
  return [
    `            - name: ${variable.name}`,
    "              valueFrom:",
    isCredential(variable) ? "                secretKeyRef:" : "                configMapKeyRef:",
    isCredential(variable) ? "                  name: secrets" : "                  name: settings",
    `                  key: ${variable.name}`,
    ...(variable.isRequired ? [] : ["                  optional: true"]),
  ];
}

/**
 * Patches that give the Deployment of each service every variable that it reads, from the ConfigMap `settings` or the
 * Secret `secrets`. A key that is absent there leaves the variable unset; a pod does not start without a required one.
 */
export function kubernetesEnvironment(services: Readonly<Record<string, readonly Variable[]>>): string {
  const patches = Object.entries(services).map(([service, variables]) => {
    const all = ["api", "mcp", "webhook-worker"].includes(service) ? [...variables, ...traces] : variables;
    return [
      "apiVersion: apps/v1",
      "kind: Deployment",
      `metadata: { name: ${service} }`,
      "spec:",
      "  template:",
      "    spec:",
      "      containers:",
      "        - name: service",
      "          env:",
      '            - { name: METRICS_PORT, value: "9090" }',
      ...all.filter(({ name }) => !left.has(name)).flatMap(entry),
      "",
    ].join("\n");
  });
  return `# Generated from the configuration of the services by npm run x -- node scripts/render-configuration.ts\n${patches.join("---\n")}`;
}
