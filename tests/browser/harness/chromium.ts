import { findChromium } from "@svc/testkit";

/** The browser of the machine, or undefined when it has none: then the tests that need one are skipped. */
export const chromium: string | undefined = findChromium();
