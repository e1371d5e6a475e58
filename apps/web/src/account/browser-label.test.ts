import { expect, test } from "@jest/globals";
import { browserLabel } from "./browser-label.ts";

test.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Windows"],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
    "Chrome on Linux",
  ],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Safari/604.1", "Safari on iOS"],
  ["Mozilla/5.0 (Android 15)", "Browser on Android"],
  ["curl/8", "Unknown browser"],
  [null, "Unknown browser"],
] as const)("%s is %s", (userAgent, label) => {
  expect(browserLabel(userAgent)).toBe(label);
});
