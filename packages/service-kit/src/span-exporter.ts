export type SpanKind = "internal" | "server" | "client";

/** A span that has ended. */
export interface EndedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  /** Epoch milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | null | undefined>>;
  readonly failed: boolean;
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
const answerTimeoutMs = 5_000;
/** Numbers of the span kinds in OTLP. */
const kinds: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const failedStatus = 2;

const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;

const attribute = ([key, value]: [string, string | number]) => ({
  key,
  value: typeof value === "number" ? { intValue: String(Math.round(value)) } : { stringValue: value },
});

const attributesOf = (values: EndedSpan["attributes"]) =>
  Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [attribute([key, value])],
  );

/** OpenTelemetry's trace request in its JSON form (OTLP 1, opentelemetry-proto). */
function traceRequest(service: string, spans: readonly EndedSpan[]): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: [attribute(["service.name", service])] },
        scopeSpans: [
          {
            scope: { name: "svc" },
            spans: spans.map(({ traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, failed }) => ({
              traceId,
              spanId,
              ...(parentSpanId && { parentSpanId }),
              name,
              kind: kinds[kind],
              startTimeUnixNano: nanoseconds(startMs),
              endTimeUnixNano: nanoseconds(endMs),
              attributes: attributesOf(attributes),
              status: failed ? { code: failedStatus } : {},
            })),
          },
        ],
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
        signal: AbortSignal.timeout(answerTimeoutMs),
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
