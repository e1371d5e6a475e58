import { isPortFree } from "@svc/local-stores";
import { StartError } from "./start-error.ts";

/** Distance of each service's port from the port base. */
const offsets = {
  api: 0,
  mcp: 1,
  deeplink: 2,
  "carrier-sandbox": 3,
  "webhook-worker": 10,
  "tracking-worker": 11,
} as const;

export type ServiceName = keyof typeof offsets;

const serviceNames = Object.keys(offsets) as readonly ServiceName[];
export const highestPortOffset = Math.max(...Object.values(offsets));

export function servicePort(service: ServiceName, portBase: number): number {
  return portBase + offsets[service];
}

/** Ports that browsers and Node's `fetch` never connect to (Fetch standard, "bad port"), of those above 1023. */
const refusedByClients = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);

/** Throws StartError naming the first port that is taken or of no use, before anything has started. */
export async function requireFreePorts(portBase: number): Promise<void> {
  for (const service of serviceNames) {
    const port = servicePort(service, portBase);
    if (refusedByClients.has(port)) {
      throw new StartError(`Port ${port} (${service}) is one that browsers refuse; choose another --port-base.`);
    }
  }
  for (const service of serviceNames) {
    const port = servicePort(service, portBase);
    if (await isPortFree(port)) continue;
    const other = portBase + 1000 + highestPortOffset > 65_535 ? 4000 : portBase + 1000;
    throw new StartError(
      `Port ${port} (${service}) is taken; stop what uses it, or choose other ports with \`npm start -- --port-base ${other}\`.`,
    );
  }
}
