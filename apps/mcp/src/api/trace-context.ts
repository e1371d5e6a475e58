import { BAGGAGE_META_KEY, TRACEPARENT_META_KEY, TRACESTATE_META_KEY } from "@modelcontextprotocol/server";
import { globalTracer, type Span, type Tracer } from "@svc/service-kit";

type Values = Readonly<Record<string, unknown>> | undefined;

/** Limits that W3C recommends to pass on at least; longer values count as absent. */
const tracestateMax = 512;
const baggageMax = 8_192;

/** Characters that the value of a header may have. */
const printable = /^[ -~]+$/;

const headerValue = (value: unknown, maxLength: number): string | undefined =>
  typeof value === "string" && value.length <= maxLength && printable.test(value) ? value : undefined;

const traceIdOf = (traceparent: unknown) => (typeof traceparent === "string" ? traceparent.split("-")[1] : undefined);

interface TracedMessage {
  readonly span: Span;
  /** W3C headers of its requests to the API: `traceparent`, `tracestate`, `baggage`. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Continues the trace of a message. A message names its trace itself in `_meta`, because its transport may carry
 * messages of several traces; `headers` are those of its HTTP request, if any.
 */
export function continueTrace(meta: Values, headers?: Values, tracer: Tracer = globalTracer): TracedMessage {
  const parent = meta?.[TRACEPARENT_META_KEY] ?? headers?.traceparent;
  const state = meta?.[TRACEPARENT_META_KEY] === undefined ? headers?.tracestate : meta[TRACESTATE_META_KEY];
  const span = tracer.startSpan(parent, "server");
  const { traceparent } = span;
  // Without a valid traceparent a new trace begins, to which the state does not belong (W3C Trace Context, 4.3).
  const isContinued = traceparent !== null && traceIdOf(traceparent) === traceIdOf(parent);
  const tracestate = isContinued ? headerValue(state, tracestateMax) : undefined;
  const baggage = headerValue(meta?.[BAGGAGE_META_KEY] ?? headers?.baggage, baggageMax);
  return {
    span,
    headers: { ...(traceparent && { traceparent }), ...(tracestate && { tracestate }), ...(baggage && { baggage }) },
  };
}
