import readline from "node:readline";

/** JSON-RPC's code for an error of the engine's own; the details are in `data`. */
const engineErrorCode = 4466;

let printed = 0;

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function errorAnswer(error) {
  const details = {
    is_panic: false,
    message: error?.message ?? String(error),
    error_code: error?.error_code ?? error?.code,
    meta: error?.meta,
  };
  return {
    code: engineErrorCode,
    message: "An error happened. Check the data field for details.",
    data: details,
  };
}

/** Handles the requests on stdin, one after the other, until it ends. */
export async function serveRequests({ createDatabase, loadEngine }) {
  let loaded;

  async function answer({ method, params }) {
    if (method === "createDatabase") return createDatabase(params?.datasource?.url);
    const schemaFiles = params?.to?.files ?? params?.from?.files ?? params?.schema?.files;
    loaded ??= await loadEngine(schemaFiles);
    const operation = method === "getDatabaseVersion" ? "version" : method;
    const result = await loaded.engine[operation](params ?? {});
    // A difference is shown by the command line: it expects the text as a request to print.
    if (method === "diff" && result?.stdout != null) {
      printed += 1;
      send({ id: printed, method: "print", params: { content: result.stdout } });
    }
    return result;
  }

  const lines = readline.createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    const request = line.trim() === "" ? {} : JSON.parse(line);
    // A line without a method is the command line's answer to a print request.
    if (!request.method) continue;
    let outcome;
    try {
      outcome = { result: (await answer(request)) ?? null };
    } catch (error) {
      outcome = { error: errorAnswer(error) };
    }
    await loaded?.beforeAnswer();
    send({ id: request.id, ...outcome });
  }
  process.exit(0);
}
