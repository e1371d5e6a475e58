import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { createSpanExporter, type SpanExporterOptions } from "./span-exporter.ts";
import { createContextManager, createTraceProvider } from "./trace-provider.ts";
import { formatTraceparent, parseTraceparent, traceparentPropagator } from "./traceparent.ts";

export interface SpanEnd {
  readonly attributes?: Readonly<Record<string, string | number | null | undefined>>;
  readonly failed?: boolean;
  /** Epoch milliseconds; by default now. */
  readonly atMs?: number;
}

export interface Span {
  /** The W3C header for work within the span; null when there is no trace. */
  readonly traceparent: string | null;
  /** Spans that libraries start within the work are children of this span. */
  run<Result>(work: () => Result): Result;
  end(name: string, end?: SpanEnd): void;
}

/** Traces work for one cause across the services, through OpenTelemetry's API. */
export interface Tracer {
  /**
   * @param parent the `traceparent` header of the cause; a malformed header counts as absent.
   * @param startMs epoch milliseconds; by default now.
   */
  startSpan(parent: unknown, kind: keyof typeof kinds, startMs?: number): Span;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;
const scope = "svc";

/** A request that an instrumentation of the HTTP server traces already is a part of its span. */
function contextOf(header: unknown, kind: SpanKind) {
  if (kind === SpanKind.SERVER && trace.getActiveSpan()) return context.active();
  const parent = parseTraceparent(header);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/**
 * Spans of the provider that the process has registered. Without one no span is created and the parent's context is
 * passed on.
 */
export const globalTracer: Tracer = {
  startSpan(header, kind, startMs = Date.now()) {
    const parent = contextOf(header, kinds[kind]);
    const options = { kind: kinds[kind], startTime: new Date(startMs) };
    const span = trace.getTracer(scope).startSpan(scope, options, parent);
    const within = trace.setSpan(parent, span);
    const spanContext = span.spanContext();
    return {
      traceparent: trace.isSpanContextValid(spanContext) ? formatTraceparent(spanContext) : null,
      run: (work) => context.with(within, work),
      end(name, { attributes = {}, failed = false, atMs = Date.now() } = {}) {
        if (!span.isRecording()) return;
        span.updateName(name);
        for (const [key, value] of Object.entries(attributes))
          if (value !== null && value !== undefined) span.setAttribute(key, value);
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end(new Date(atMs));
      },
    };
  },
  close: () => Promise.resolve(),
};

/**
 * Exports spans by OTLP over HTTP when OTEL_EXPORTER_OTLP_ENDPOINT (or …_TRACES_ENDPOINT, the complete URL) is set,
 * with the headers of OTEL_EXPORTER_OTLP_HEADERS; otherwise only passes contexts on. A trace that its caller does not
 * sample is not exported. An OpenTelemetry SDK that the process has loaded before takes the place of the exporter.
 */
export function createTracer(
  service: string,
  environment: Readonly<Record<string, string | undefined>>,
  onError: SpanExporterOptions["onError"],
): Tracer {
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, "");
  const url = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (base && `${base}/v1/traces`);
  if (!url) return globalTracer;
  const exporter = createSpanExporter({
    url,
    headers: readHeaders(environment.OTEL_EXPORTER_OTLP_HEADERS),
    service: environment.OTEL_SERVICE_NAME || service,
    onError,
  });
  const contexts = createContextManager();
  if (!trace.setGlobalTracerProvider(createTraceProvider(exporter, contexts))) return globalTracer;
  context.setGlobalContextManager(contexts);
  propagation.setGlobalPropagator(traceparentPropagator);
  return {
    startSpan: globalTracer.startSpan,
    async close() {
      trace.disable();
      context.disable();
      propagation.disable();
      await exporter.close();
    },
  };
}

/** `name=value,name=value`, the values percent-encoded. */
function readHeaders(text = ""): Record<string, string> {
  const pairs = text.split(",").flatMap((pair) => {
    const [name = "", ...value] = pair.split("=");
    return name.trim() === "" ? [] : [[name.trim(), decodeURIComponent(value.join("=").trim())]];
  });
  return Object.fromEntries(pairs);
}
