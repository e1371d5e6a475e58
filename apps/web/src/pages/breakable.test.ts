import { describe, expect, test } from "@jest/globals";
import { html } from "@svc/views";
import { withWordBreaks } from "./word-breaks.ts";

const markup = (name: string): string => String(html`${withWordBreaks(name)}`);

describe("a long name in a narrow column", () => {
  test("breaks between its words, not inside them", () => {
    expect(markup("container.transport.estimated.vessel_arrived")).toBe(
      "container.<wbr>transport.<wbr>estimated.<wbr>vessel_<wbr>arrived",
    );
  });

  test("keeps the numbers of an address together", () => {
    expect(markup("http://127.0.0.1:9/dead/port")).toBe("http://127.0.0.1:9/<wbr>dead/<wbr>port");
  });

  test("stays text, whatever it is made of", () => {
    expect(markup("https://a.test/<b>/x")).toBe("https://<wbr>a.<wbr>test/&lt;b&gt;/<wbr>x");
  });
});
