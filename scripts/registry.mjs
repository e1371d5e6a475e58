import { captureProgram } from "./run-program.mjs";

const connectTimeoutMs = 8_000;
/** Codes of npm for a registry that it could not connect to, unlike a registry that answers with an error. */
const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|EIDLETIMEOUT|ECONNECTIONTIMEOUT|ERESPONSETIMEOUT)\b/;

/** Why npm cannot connect to the registry, as a code; undefined when it can. Its own settings and proxies apply. */
async function findConnectionFault(environment) {
  const timeout = AbortSignal.timeout(connectTimeoutMs);
  try {
    await captureProgram("npm", ["ping", "--fetch-retries=0"], environment, undefined, timeout);
    return undefined;
  } catch (error) {
    return timeout.aborted ? `no answer in ${connectTimeoutMs / 1000} s` : unreachable.exec(error.message)?.[0];
  }
}

async function connect(environment) {
  const fault = await findConnectionFault(environment);
  return {
    async fetchWith(program, [command, ...args], ...rest) {
      if (fault === undefined) return captureProgram(program, [command, ...args], ...rest);
      try {
        return await captureProgram(program, [command, "--offline", ...args], ...rest);
      } catch {
        const address = (await captureProgram("npm", ["config", "get", "registry"], environment)).trim();
        throw new Error(
          `The package registry ${address} cannot be reached (${fault}), and what is missing must come from there. Check the network, or choose another registry with \`npm config set registry URL\`.`,
        );
      }
    },
  };
}

let connection;

/**
 * Checks once whether the registry can be reached: npm and pnpm themselves retry for minutes and end with a stack.
 * @returns `fetchWith`, which runs npm, npx or pnpm; without a registry it uses what was fetched earlier.
 */
export function connectToRegistry(environment) {
  connection ??= connect(environment);
  return connection;
}
