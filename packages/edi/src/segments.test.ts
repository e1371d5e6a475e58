import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { UnreadableFile } from "./fault.ts";
import { parseSegments, type Segment } from "./segments.ts";

const shape = (segments: Iterable<Segment>) => [...segments].map(({ tag, elements }) => [tag, ...elements.slice(1)]);
const faultOf = (text: string) => {
  try {
    return [...parseSegments(text)].length;
  } catch (error) {
    if (error instanceof UnreadableFile) return error.fault;
    throw error;
  }
};
const isa =
  "ISA*00*          *00*          *ZZ*A              *ZZ*B              *260305*1130*U*00401*000000001*0*P*>~";

describe("segments", () => {
  test("X12 by the separators that ISA shows, which need not have its fixed length", () => {
    expect(shape(parseSegments(`${isa}\r\nB4***VD*a>b~\n`))[1]).toEqual(["B4", [""], [""], ["VD"], ["a", "b"]]);
    const short = "ISA|00| |00| |ZZ|A|ZZ|B|260305|1130|U|00401|1|0|P|^\nGS|QO|x^y\nST|315\n";
    expect(shape(parseSegments(short)).slice(1)).toEqual([
      ["GS", ["QO"], ["x", "y"]],
      ["ST", ["315"]],
    ]);
  });

  test("EDIFACT by the service string advice, or the default separators", () => {
    expect(shape(parseSegments("UNB+A:1+it?'s ?+ ??'\r\nFTX+a\r\nb'"))).toEqual([
      ["UNB", ["A", "1"], ["it's + ?"]],
      ["FTX", ["ab"]],
    ]);
    expect(shape(parseSegments("UNA|;.! ~UNB;A|1;x!~y~"))).toEqual([["UNB", ["A", "1"], ["x~y"]]]);
    expect(shape(parseSegments("\uFEFFUNA:+.  'UNB+what?+x'"))).toEqual([["UNB", ["what?"], ["x"]]]);
  });

  test("reads each of several interchanges by its own separators", () => {
    const custom = "UNA|;.! ~UNB;A|1~UNH;1~UNT;2~UNZ;1~\n";
    const standard = "UNB+B:2+it?'s'\nUNH+1'UNT+2'UNZ+1'";
    const read = [
      ["UNB", ["B", "2"], ["it's"]],
      ["UNH", ["1"]],
      ["UNT", ["2"]],
      ["UNZ", ["1"]],
    ];
    expect(shape(parseSegments(custom + standard)).slice(4)).toEqual(read);
    expect(shape(parseSegments(`${isa}IEA*1~\r\n${standard}`)).slice(2)).toEqual(read);
    expect(shape(parseSegments(`${isa}IEA*1~UNA|;.! ~UNB;A|1~`)).slice(2)).toEqual([["UNB", ["A", "1"]]]);
    const oneAdvice = `${custom}UNB;B|2;it!~s~UNH;1~UNT;2~UNZ;1~`;
    expect(shape(parseSegments(oneAdvice)).slice(4)).toEqual([["UNB", ["B", "2"], ["it~s"]], ...read.slice(1)]);
    const tilde = "UNA:+.? ~";
    expect(shape(parseSegments(`${tilde}UNB+A'1~UNZ+1~UNB+B'2~UNZ+1~`)).slice(2)).toEqual([
      ["UNB", ["B'2"]],
      ["UNZ", ["1"]],
    ]);
  });

  test.each(["\r", "\n", "\r\n"])("X12 that ends its segments with %j", (lineEnd) => {
    const text = ["ISA|00| |00| |ZZ|A|ZZ|B|260305|1130|U|00401|1|0|P|^", "GS|QO|x^y", "ST|315", ""].join(lineEnd);
    expect([...parseSegments(text)].map(({ tag, line }) => [tag, line])).toEqual([
      ["ISA", 1],
      ["GS", 2],
      ["ST", 3],
    ]);
  });

  test("each has its line and its number", () => {
    const text = `${isa}\nGS*1~ST*2~\n\nB4*a\nb~SE*1~\n`;
    expect([...parseSegments(text)].map(({ tag, line, number }) => [tag, line, number])).toEqual([
      ["ISA", 1, 1],
      ["GS", 2, 2],
      ["ST", 2, 3],
      ["B4", 4, 4],
      ["SE", 5, 5],
    ]);
    const byLines = "ISA*00* *00* *ZZ*A*ZZ*B*260305*1130*U*00401*1*0*P*>\r\nGS*1\r\nST*2\r\n";
    expect([...parseSegments(byLines)].map(({ line }) => line)).toEqual([1, 2, 3]);
  });

  test.each([
    ["", { line: 1, segment: 0 }],
    ["  \n ", { line: 1, segment: 0 }],
    ['{"rows": []}', { line: 1, segment: 0 }],
    ["\n\nPK\u0003\u0004", { line: 3, segment: 0 }],
    ["ISA*00*~", { line: 1, segment: 0 }],
    ["UNA::::::UNB", { line: 1, segment: 0 }],
    [`${isa}\nGS*QO`, { line: 2, segment: 2 }],
    [`${isa}\n**~`, { line: 2, segment: 2 }],
    ["UNB+a?'", { line: 1, segment: 1 }],
  ])("%j is unreadable, at a position", (text, position) => {
    expect(faultOf(text)).toMatchObject(position);
  });

  test("segments beyond the limits are unreadable", () => {
    for (const text of [`${isa}GS*${"x".repeat(10_000)}~`, `${isa}GS${"*".repeat(201)}~`]) {
      expect(faultOf(text)).toMatchObject({ line: 1, segment: 2 });
    }
  });

  const component = fc.stringMatching(/^[ -~äß]{0,20}$/);
  const elements = fc.array(fc.array(component, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 10 });
  const segments = fc.array(fc.tuple(fc.stringMatching(/^[A-Z][A-Z0-9]{2}$/), elements), {
    minLength: 1,
    maxLength: 20,
  });

  test("reads any EDIFACT segments as they were written", () => {
    const written = (text: string) => text.replace(/[?+:']/g, "?$&");
    fc.assert(
      fc.property(segments, fc.constantFrom("", "\n", "\r\n"), (all, lineEnd) => {
        fc.pre(!all.some(([tag]) => tag === "UNA" || tag === "ISA"));
        const text = [
          "UNB+X",
          ...all.map(([tag, values]) => [tag, ...values.map((e) => e.map(written).join(":"))].join("+")),
        ]
          .map((segment) => `${segment}'${lineEnd}`)
          .join("");
        expect(shape(parseSegments(text)).slice(1)).toEqual(all.map(([tag, values]) => [tag, ...values]));
      }),
    );
  });

  test("any text ends with segments or an UnreadableFile, never with another error or without an end", () => {
    const start = fc.constantFrom(isa, "UNA:+.? 'UNB+1'", "UNB+1'", "");
    fc.assert(
      fc.property(start, fc.string({ unit: "binary", maxLength: 500 }), (head, text) => {
        const outcome = faultOf(head + text);
        expect(typeof outcome === "number" || outcome.detail.length > 0).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
