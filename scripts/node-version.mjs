/** Node runs TypeScript by itself from here on; package.json says the same in `engines`. */
const neededMajor = 22;
const neededMinor = 19;
/** Oldest version that can fetch a newer one. */
const bootstrapMajor = 20;
/** Platforms for which the package registry has Node; tools/node names the packages. */
const fetchable = ["linux-x64", "linux-arm64"];

/**
 * Returns `{ bringNode: false }` if this Node can be used as it is, `{ bringNode: true }` if a newer one must be
 * fetched, or `{ problem }`, a sentence for the person who typed the command.
 */
export function nodeSupport(version, platform, arch) {
  const [major, minor] = version.slice(1).split(".").map(Number);
  // Version 23 was never supported for long, and its early releases lack what 22.19 has.
  if (major >= 24 || (major === neededMajor && minor >= neededMinor)) return { bringNode: false };
  if (major >= bootstrapMajor && fetchable.includes(`${platform}-${arch}`)) return { bringNode: true };
  const needed = fetchable.includes(`${platform}-${arch}`)
    ? `Node ${bootstrapMajor} or newer`
    : `Node ${neededMajor}.${neededMinor} or newer`;
  return { problem: `${needed} is needed and this is ${version}; install a newer one from your system or nodejs.org.` };
}
