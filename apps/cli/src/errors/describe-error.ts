import {
  ApiError,
  AuthenticationError,
  AuthorizationError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
  UpstreamError,
  UsageError,
} from "@svc/sdk";
import { CommanderError } from "commander";
import { plainText } from "../output/plain-text.ts";
import { CliError, type ExitCode, exitCodes } from "./cli-error.ts";

export interface ErrorDescription {
  readonly exitCode: ExitCode;
  /** Empty when it was printed already. */
  readonly message: string;
}

function advice(error: ApiError): string {
  if (error instanceof AuthenticationError) return "The token is not accepted; `svc login` stores another one.";
  if (error instanceof AuthorizationError) return "The token or the account may not do this.";
  if (error instanceof RateLimitError) {
    const seconds = error.retryAfterSeconds;
    return `Too many requests; try again ${seconds === undefined ? "later" : `in ${seconds} s`}.`;
  }
  if (error instanceof UpstreamError) return "The service failed. Try again later.";
  return "";
}

function toExitCode(error: ApiError): ExitCode {
  if (error instanceof AuthenticationError || error instanceof AuthorizationError) return exitCodes.authentication;
  if (error instanceof NotFoundError) return exitCodes.notFound;
  if (error instanceof RateLimitError) return exitCodes.rateLimited;
  return error instanceof UpstreamError ? exitCodes.unavailable : exitCodes.rejected;
}

/** Returns the message and the exit code for an error. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof CliError) return { exitCode: error.exitCode, message: error.message };
  // Commander has printed it already, or the requested help.
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage, message: "" };
  }
  if (error instanceof ApiError) {
    return {
      exitCode: toExitCode(error),
      message: plainText([advice(error), error.message].filter(Boolean).join(" ")),
    };
  }
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, message: error.message };
  if (error instanceof TimeoutError || error instanceof NetworkError) {
    return { exitCode: exitCodes.unavailable, message: `${error.message} Is the service running there?` };
  }
  const text = error instanceof Error ? error.message : String(error);
  return { exitCode: exitCodes.unexpected, message: `Unexpected: ${plainText(text)}` };
}
