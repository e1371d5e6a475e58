import { type Attributes, type SpanContext, SpanKind, type SpanStatus } from "@opentelemetry/api";

export interface SpanEvent {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly timeMs: number;
  readonly attributes: Attributes;
}

/** A span that has ended. */
export interface EndedSpan {
  readonly context: SpanContext;
  readonly parentSpanId: string | null;
  /** Which library made it. */
  readonly scope: string;
  readonly name: string;
  readonly kind: SpanKind;
  /** Epoch milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanContext[];
  readonly status: SpanStatus;
}

export interface SpanExporterOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  /** Called when the collector does not accept the spans, which are then dropped. */
  readonly onError: (error: Error) => void;
}

export interface SpanExporter {
  add(span: EndedSpan): void;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

const sendEveryMs = 1_000;
const batchMax = 512;
/** Spans beyond this number are dropped, so that an unavailable collector cannot exhaust the memory of the service. */
const waitingMax = 4_096;
const responseTimeoutMs = 5_000;
/** Numbers of the span kinds in OTLP, which begin with "unspecified". */
const kinds: Readonly<Record<SpanKind, number>> = {
  [SpanKind.INTERNAL]: 1,
  [SpanKind.SERVER]: 2,
  [SpanKind.CLIENT]: 3,
  [SpanKind.PRODUCER]: 4,
  [SpanKind.CONSUMER]: 5,
};

const nanoseconds = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n);

function attributeValue(value: unknown): object {
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(attributeValue) } };
  return { stringValue: typeof value === "string" ? value : JSON.stringify(value) };
}

const attributesOf = (values: Attributes) =>
  Object.entries(values).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ key, value: attributeValue(value) }],
  );

const spanOf = (span: EndedSpan): object => ({
  traceId: span.context.traceId,
  spanId: span.context.spanId,
  ...(span.parentSpanId && { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(span.endMs),
  attributes: attributesOf(span.attributes),
  ...(span.events.length > 0 && {
    events: span.events.map(({ name, timeMs, attributes }) => ({
      name,
      timeUnixNano: nanoseconds(timeMs),
      attributes: attributesOf(attributes),
    })),
  }),
  ...(span.links.length > 0 && { links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })) }),
  status: span.status.code === 0 ? {} : span.status,
});

/** OpenTelemetry's trace request in its JSON form (OTLP 1, opentelemetry-proto). */
function traceRequest(service: string, spans: readonly EndedSpan[]): object {
  const scopes = Map.groupBy(spans, ({ scope }) => scope);
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ "service.name": service }) },
        scopeSpans: [...scopes].map(([name, endedSpans]) => ({ scope: { name }, spans: endedSpans.map(spanOf) })),
      },
    ],
  };
}

/** Sends ended spans in batches, once a second. */
export function createSpanExporter({ url, headers, service, onError }: SpanExporterOptions): SpanExporter {
  let waiting: EndedSpan[] = [];
  let timer: NodeJS.Timeout | undefined;

  const send = async (spans: readonly EndedSpan[]): Promise<void> => {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(traceRequest(service, spans)),
        signal: AbortSignal.timeout(responseTimeoutMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The trace collector responded with status ${response.status}.`);
    } catch (error) {
      onError(error as Error);
    }
  };

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      await send(batch);
    }
  };

  return {
    add(span) {
      if (waiting.length >= waitingMax) return;
      waiting.push(span);
      timer ??= setTimeout(() => void flush(), sendEveryMs).unref();
    },
    close: flush,
  };
}
