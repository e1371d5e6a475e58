import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { mentionProblems, newlyMentioned, noteParts } from "./mentions.ts";

const members = [
  "Anna.B+ops@example.test",
  "anna@example.test",
  "ben@example.test",
  "benno@example.test",
  "cleo@a.test",
];
const mentionsIn = (note: string) => noteParts(note).flatMap(({ mention }) => mention ?? []);
const membersIn = (note: string) => newlyMentioned(null, note, members);

describe("mentions in a note", () => {
  test.each<[string, string[]]>([
    ["@anna@example.test", ["anna@example.test"]],
    ["Ask @Anna.B+ops@Example.Test, please.", ["anna.b+ops@example.test"]],
    ["(@anna@example.test) and @ben@example.test.", ["anna@example.test", "ben@example.test"]],
    ["@anna and @ANNA@example.test", ["anna", "anna@example.test"]],
    ["Ask @Anna.B, please, or @anna.", ["anna.b", "anna"]],
    ["anna@example.test", []],
    ["x@anna@example.test", []],
    ["anna@", []],
    ["@@example.test @anna@ @", []],
    ["", []],
  ])("%j mentions %j", (note, mentions) => {
    expect(mentionsIn(note)).toEqual(mentions);
  });

  test.each<[string, string[]]>([
    ["@anna@example.test @ANNA@example.test @anna", ["anna@example.test"]],
    ["@Anna.", ["anna@example.test"]],
    ["@anna.b and @cl", ["anna.b+ops@example.test", "cleo@a.test"]],
    ["@be @nora @nora@example.test @ann", []],
  ])("%j mentions the members %j: those with the address, the name, or alone with its beginning", (note, emails) => {
    expect(membersIn(note)).toEqual(emails);
  });

  test("a name that becomes the address of the same member mentions no other member", () => {
    expect(newlyMentioned("Ask @ben", "Ask @ben@example.test", members)).toEqual([]);
    expect(newlyMentioned("Ask @ben", "Ask @cleo", members)).toEqual(["cleo@a.test"]);
  });

  test("finds mentions that match no member, or several", () => {
    expect(mentionProblems("@nora, @nora@example.test, @NORA, @be, @ben, @cl", members)).toEqual([
      "No member is called @nora: no mail was sent.",
      "No member is called @nora@example.test: no mail was sent.",
      "2 members are called @be…: no mail was sent. Enter the whole address.",
    ]);
    expect(mentionProblems(null, members)).toEqual([]);
  });

  test("splits any note into parts that join to the note", () => {
    const segments = fc.constantFrom("@", "a", "@a@b.c", " ", ".", "<b>", "\n", "é", "-", "@@");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(segments).map((all) => all.join("")),
        ),
        (note) => {
          const parts = noteParts(note);
          expect(parts.map(({ text }) => text).join("")).toBe(note);
          for (const { text, mention } of parts) if (mention !== null) expect(text.toLowerCase()).toBe(`@${mention}`);
        },
      ),
    );
  });

  test("a member mentioned between words is found; the same text again mentions no other member", () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    const between = fc.constantFrom(" ", "\n", ", ", ": ");
    fc.assert(
      fc.property(word, word, between, fc.string(), (name, domain, space, rest) => {
        const email = `${name}@${domain}.test`;
        const note = `Call${space}@${email}${space}`;
        expect(newlyMentioned(null, note, [email])).toEqual([email]);
        expect(newlyMentioned(`${note}\n${rest}`, note, [email])).toEqual([]);
      }),
    );
  });

  test("a long note of marks is read without trying each division of it", () => {
    for (const unit of ["@a", "@a.", "a@", "@a@b."]) {
      const note = unit.repeat(2_000 / unit.length);
      const parts = noteParts(note);
      expect(parts.map(({ text }) => text).join("")).toBe(note);
    }
  });
});
