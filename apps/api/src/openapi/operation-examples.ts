import type { Route } from "../http/define-route.ts";
import recordedExamples from "./recorded-examples.json" with { type: "json" };

/** JSON of a request and of its successful response; `tests/spec/recorded-api-examples.long.test.ts` records them. */
export interface OperationExample {
  readonly request?: object;
  /** HTTP status of the response. */
  readonly status?: number;
  readonly response?: object;
}

const examples: Readonly<Record<string, OperationExample>> = recordedExamples;

/** The recorded example of an operation; empty when it exchanges no JSON. */
export const findExample = ({ operationId }: Route): OperationExample => examples[operationId] ?? {};
