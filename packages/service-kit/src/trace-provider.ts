import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import {
  type Attributes,
  type Context,
  type ContextManager,
  type Exception,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
  TraceFlags,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import type { EndedSpan, SpanEvent, SpanExporter } from "./span-exporter.ts";
import { isSampled } from "./traceparent.ts";

/** A number below the start of the process is on the clock of `performance.now()`, as OpenTelemetry defines it. */
function epochMs(time: TimeInput | undefined): number {
  if (time === undefined) return Date.now();
  if (time instanceof Date) return time.getTime();
  if (Array.isArray(time)) return time[0] * 1_000 + time[1] / 1_000_000;
  return time < performance.timeOrigin ? performance.timeOrigin + time : time;
}

/**
 * Creates the context of a span in the trace of its parent or in a new one. A new trace is sampled; otherwise the
 * parent decides.
 */
function contextOf(parent: SpanContext | undefined): SpanContext {
  const spanId = randomBytes(8).toString("hex");
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString("hex"),
    spanId,
    traceFlags: parent?.traceFlags ?? TraceFlags.SAMPLED,
  };
}

interface SpanStart {
  readonly name: string;
  readonly scope: string;
  readonly options: SpanOptions;
  readonly parent: SpanContext | undefined;
}

class RecordedSpan implements Span {
  readonly #context: SpanContext;
  readonly #start: SpanStart;
  readonly #startMs: number;
  readonly #exporter: SpanExporter;
  readonly #attributes: Attributes;
  readonly #events: SpanEvent[] = [];
  readonly #links: Link[];
  #name: string;
  #status: SpanStatus = { code: SpanStatusCode.UNSET };
  #hasEnded = false;

  constructor(start: SpanStart, exporter: SpanExporter) {
    this.#start = start;
    this.#context = contextOf(start.parent);
    this.#startMs = epochMs(start.options.startTime);
    this.#attributes = { ...start.options.attributes };
    this.#links = [...(start.options.links ?? [])];
    this.#name = start.name;
    this.#exporter = exporter;
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  isRecording(): boolean {
    return !this.#hasEnded && isSampled(this.#context);
  }

  setAttribute(...[key, value]: Parameters<Span["setAttribute"]>): this {
    return this.setAttributes({ [key]: value });
  }

  setAttributes(attributes: Attributes): this {
    if (this.isRecording()) Object.assign(this.#attributes, attributes);
    return this;
  }

  addEvent(name: string, attributesOrTime?: Attributes | TimeInput, time?: TimeInput): this {
    const isTime =
      typeof attributesOrTime === "number" || attributesOrTime instanceof Date || Array.isArray(attributesOrTime);
    const attributes = isTime ? {} : (attributesOrTime ?? {});
    const timeMs = epochMs(isTime ? attributesOrTime : time);
    if (this.isRecording()) this.#events.push({ name, timeMs, attributes });
    return this;
  }

  addLink(link: Link): this {
    return this.addLinks([link]);
  }

  addLinks(links: Link[]): this {
    if (this.isRecording()) this.#links.push(...links);
    return this;
  }

  setStatus(status: SpanStatus): this {
    if (this.isRecording()) this.#status = status;
    return this;
  }

  updateName(name: string): this {
    if (this.isRecording()) this.#name = name;
    return this;
  }

  recordException(exception: Exception, time?: TimeInput): void {
    const { name, message, stack } = typeof exception === "string" ? { message: exception } : exception;
    const attributes = { "exception.type": name, "exception.message": message, "exception.stacktrace": stack };
    this.addEvent("exception", attributes, time);
  }

  end(time?: TimeInput): void {
    if (!this.isRecording()) return;
    this.#hasEnded = true;
    const { scope, options, parent } = this.#start;
    const ended: EndedSpan = {
      context: this.#context,
      parentSpanId: parent?.spanId ?? null,
      scope,
      name: this.#name,
      kind: options.kind ?? SpanKind.INTERNAL,
      startMs: this.#startMs,
      endMs: Math.max(this.#startMs, epochMs(time)),
      attributes: this.#attributes,
      events: this.#events,
      links: this.#links.map(({ context }) => context),
      status: this.#status,
    };
    this.#exporter.add(ended);
  }
}

function createTracer(scope: string, exporter: SpanExporter, contexts: ContextManager): Tracer {
  const startSpan: Tracer["startSpan"] = (name, options = {}, context = contexts.active()) => {
    const parent = options.root === true ? undefined : trace.getSpanContext(context);
    return new RecordedSpan({ name, scope, options, parent }, exporter);
  };
  return {
    startSpan,
    startActiveSpan(name: string, ...rest: unknown[]) {
      const work = rest.at(-1) as (span: Span) => never;
      const [options, context] = rest.slice(0, -1) as [SpanOptions?, Context?];
      const parent = context ?? contexts.active();
      const span = startSpan(name, options, parent);
      return contexts.with(trace.setSpan(parent, span), work, undefined, span);
    },
  };
}

/** Carries the active context through promises, timers and callbacks. */
export function createContextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, work, thisArg, ...args) => storage.run(context, () => work.apply(thisArg as never, args)),
    bind: (context, target) =>
      typeof target === "function"
        ? (((...args: unknown[]) => storage.run(context, () => target(...args))) as typeof target)
        : target,
    enable: () => manager,
    disable() {
      storage.disable();
      return manager;
    },
  };
  return manager;
}

/** Creates spans of OpenTelemetry's API for the services and for the libraries that use it. */
export const createTraceProvider = (exporter: SpanExporter, contexts: ContextManager): TracerProvider => ({
  getTracer: (scope) => createTracer(scope, exporter, contexts),
});
