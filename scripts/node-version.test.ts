import { describe, expect, test } from "@jest/globals";
import { nodeSupport } from "./node-version.mjs";

describe("which Node will do", () => {
  test.each([
    ["v24.21.0", "darwin", "arm64"],
    ["v22.19.0", "linux", "x64"],
    ["v26.0.0", "win32", "x64"],
  ])("%s on %s-%s as it is", (version, platform, arch) => {
    expect(nodeSupport(version, platform, arch)).toEqual({ bringNode: false });
  });
  test.each([
    ["v20.20.2", "linux", "x64"],
    ["v22.18.0", "linux", "arm64"],
    ["v23.5.0", "linux", "x64"],
  ])("%s on %s-%s after a newer one is fetched", (version, platform, arch) => {
    expect(nodeSupport(version, platform, arch)).toEqual({ bringNode: true });
  });
  test.each([
    ["v18.20.4", "linux", "x64", /^Node 20 or newer is needed and this is v18\.20\.4;/],
    ["v20.20.2", "darwin", "arm64", /^Node 22\.19 or newer is needed/],
    ["v20.20.2", "linux", "s390x", /^Node 22\.19 or newer is needed/],
  ])("%s on %s-%s is refused in one sentence", (version, platform, arch, sentence) => {
    const { problem } = nodeSupport(version, platform, arch);
    expect(problem).toMatch(sentence);
    expect(problem).not.toContain("\n");
  });
});
