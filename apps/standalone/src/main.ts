import { defaultDataFolder, launch } from "./launch.ts";
import { parseOptions, usage } from "./options.ts";
import { StartError } from "./start-error.ts";

/** Begins to stop at the first of: Ctrl-C, a request to end, the end of the process that started this one. */
function stopRequest(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // Any further signal changes nothing: everything is gone within ten seconds anyway.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  process.on("disconnect", stop);
  // A reader that went away (`npm start | head`) must not end the launcher before its processes.
  process.stdout.on("error", stop);
  return controller.signal;
}

async function main(): Promise<number> {
  const signal = stopRequest();
  try {
    const options = parseOptions(process.argv.slice(2), {
      // Relative paths start at the folder where the command was typed; npm changes to the repository.
      current: process.env.INIT_CWD ?? process.cwd(),
      defaultData: defaultDataFolder,
    });
    if (options.help) {
      process.stdout.write(usage);
      return 0;
    }
    await launch({
      options,
      environment: process.env,
      signal,
      print: (text) => void process.stdout.write(text),
      colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
    });
    return 0;
  } catch (error) {
    if (signal.aborted) return 0;
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof StartError ? error.exitCode : 1;
  }
}

process.exit(await main());
