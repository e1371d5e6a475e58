import { eventually } from "@svc/testkit";
import { sleep } from "./shell.ts";
import type { TrackingLoad } from "./tracking-load.ts";

interface TrackingRequest {
  readonly attributes: { readonly status: string };
}

interface Notification {
  readonly data: {
    readonly attributes: { readonly event: string };
    readonly relationships: { readonly reference_object: { readonly data: { readonly id: string } } };
  };
}

const windowMs = 5_000;

/**
 * Reads each tracking request as soon as its creation is acknowledged, and again as soon as the webhook says that it
 * succeeded. Both must be visible then, whatever server the API reads from.
 */
export class FreshReads {
  /** Reads that showed what was acknowledged or announced. */
  fresh = 0;
  /** Reads that showed an older state. */
  readonly stale: string[] = [];
  /** Reads that were answered with a failure, by status. */
  readonly failed = new Map<number, number>();
  private readonly load: TrackingLoad;
  private readonly running = new Set<Promise<void>>();

  constructor(load: TrackingLoad) {
    this.load = load;
    load.observe({
      acknowledged: (id) => this.track(this.read(id, "its creation was acknowledged", () => true)),
      notified: (body) => {
        const { data } = JSON.parse(String(body)) as Notification;
        if (data.attributes.event !== "tracking_request.succeeded") return;
        const { id } = data.relationships.reference_object.data;
        this.track(this.read(id, "its success was announced", (status) => status !== "pending"));
      },
    });
  }

  private track(work: Promise<void>): void {
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }

  private async read(id: string, since: string, isFresh: (status: string) => boolean): Promise<void> {
    const response = await this.load.respond("GET", `/tracking_requests/${id}`).catch(() => undefined);
    if (response?.status === 404) this.stale.push(`${id} was not found after ${since}`);
    else if (!response?.ok) this.failed.set(response?.status ?? 0, (this.failed.get(response?.status ?? 0) ?? 0) + 1);
    else {
      const { status } = ((await response.json()) as { data: TrackingRequest }).data.attributes;
      if (isFresh(status)) this.fresh += 1;
      else this.stale.push(`${id} was ${status} after ${since}`);
    }
  }

  /** Resolves with the counts of the first five seconds in which replicas ran more statements than the primary. */
  mostOnReplicas(timeoutMs: number): Promise<string> {
    const isMajority = async () => {
      const before = await this.statements();
      await sleep(windowMs);
      const after = await this.statements();
      const [onReplicas, onPrimary] = [after.replica - before.replica, after.primary - before.primary];
      return onReplicas > onPrimary && `${onReplicas} on replicas, ${onPrimary} on the primary`;
    };
    return eventually("replicas run most statements of reads", isMajority, timeoutMs).catch((error: Error) => {
      throw new Error(`${error.message}: ${this.reasons().join("; ")}`);
    });
  }

  /** Returns the number of statements so far, by the server that ran them. */
  private async statements(): Promise<Record<"primary" | "replica", number>> {
    const headers = { authorization: `Bearer ${this.load.token}` };
    const response = await fetch(`${this.load.apiUrl}/metrics`, { headers });
    if (!response.ok) throw new Error(`The metrics of the API answered ${response.status}.`);
    const metrics = await response.text();
    const countOn = (server: string) =>
      Number(new RegExp(`^svc_api_read_statements_total\\{.*server="${server}".*\\} (\\S+)`, "m").exec(metrics)?.[1]);
    return { primary: countOn("primary"), replica: countOn("replica") };
  }

  /** Why replicas were not used, from the log of the API, which has it at most once a minute. */
  reasons(): readonly string[] {
    const lines = [...this.load.services].flatMap(([name, { output }]) =>
      name.startsWith("api-") ? output().split("\n") : [],
    );
    return lines.flatMap((line) =>
      line.includes("database.replica_unused") ? [(JSON.parse(line) as { err: { message: string } }).err.message] : [],
    );
  }

  /** Waits for reads in progress. Throws if one showed an older state. */
  async verify(): Promise<string> {
    while (this.running.size > 0) await Promise.all(this.running);
    if (this.stale.length > 0)
      throw new Error(`${this.stale.length} reads were stale: ${this.stale.slice(0, 3).join("; ")}`);
    const failed = [...this.failed].map(([status, count]) => `, ${count} × ${status || "no response"}`).join("");
    return `${this.fresh} reads at once after a write or a notification, 0 stale${failed}`;
  }
}
