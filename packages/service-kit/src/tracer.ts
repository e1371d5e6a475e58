import { createSpanExporter, type SpanExporterOptions, type SpanKind } from "./span-exporter.ts";
import { childOf, formatTraceparent, parseTraceparent } from "./traceparent.ts";

export interface SpanEnd {
  readonly attributes?: Readonly<Record<string, string | number | null | undefined>>;
  readonly failed?: boolean;
  /** Epoch milliseconds; by default now. */
  readonly atMs?: number;
}

export interface Span {
  /** The W3C header for work within the span; null when there is no trace. */
  readonly traceparent: string | null;
  end(name: string, end?: SpanEnd): void;
}

/** Traces work for one cause across the services. */
export interface Tracer {
  /**
   * @param parent the `traceparent` header of the cause; a malformed header counts as absent.
   * @param startMs epoch milliseconds; by default now.
   */
  startSpan(parent: unknown, kind: SpanKind, startMs?: number): Span;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

const endNothing = (): void => undefined;

/** Creates no spans and passes the parent's context on. */
export const passingTracer: Tracer = {
  startSpan(parent) {
    const context = parent ? parseTraceparent(parent) : null;
    return { traceparent: context && formatTraceparent(context), end: endNothing };
  },
  close: () => Promise.resolve(),
};

/**
 * Exports spans by OTLP over HTTP when OTEL_EXPORTER_OTLP_ENDPOINT (or …_TRACES_ENDPOINT, the complete URL) is set,
 * with the headers of OTEL_EXPORTER_OTLP_HEADERS; otherwise only passes contexts on. A trace that its caller does not
 * sample is not exported.
 */
export function createTracer(
  service: string,
  environment: Readonly<Record<string, string | undefined>>,
  onError: SpanExporterOptions["onError"],
): Tracer {
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, "");
  const url = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (base && `${base}/v1/traces`);
  if (!url) return passingTracer;
  const exporter = createSpanExporter({
    url,
    headers: readHeaders(environment.OTEL_EXPORTER_OTLP_HEADERS),
    service: environment.OTEL_SERVICE_NAME || service,
    onError,
  });
  return {
    startSpan(header, kind, startMs = Date.now()) {
      const parent = parseTraceparent(header);
      const context = childOf(parent);
      return {
        traceparent: formatTraceparent(context),
        end(name, { attributes = {}, failed = false, atMs = Date.now() } = {}) {
          if (!context.sampled) return;
          const parentSpanId = parent?.spanId ?? null;
          exporter.add({
            ...context,
            parentSpanId,
            name,
            kind,
            startMs,
            endMs: Math.max(startMs, atMs),
            attributes,
            failed,
          });
        },
      };
    },
    close: exporter.close,
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
