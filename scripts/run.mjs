/*
 * The entry of `npm start`, `npm test` and the other commands of package.json. It needs nothing but Node 20 and npm: it
 * brings a newer Node and the packages when they are missing, and then hands over to the command.
 * Only Node's own modules, and only the syntax of old versions, so that an old Node gets a sentence instead of an
 * error.
 */
const mode = process.argv[2];
const { nodeSupport } = await import("./node-version.mjs");
const support = nodeSupport(process.version, process.platform, process.arch);

if (support.problem) {
  console.error(support.problem);
  process.exit(1);
}

const { commands } = await import("./commands.mjs");
const command = commands[mode];
if (!command) {
  console.error(`Usage: node scripts/run.mjs ${Object.keys(commands).join("|")} [arguments]`);
  process.exit(2);
}

try {
  process.exit(await command(process.argv.slice(3), { bringNode: support.bringNode }));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
