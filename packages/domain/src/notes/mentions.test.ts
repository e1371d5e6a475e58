import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { newlyMentioned, noteParts } from "./mentions.ts";

const emailsIn = (note: string) => newlyMentioned(null, note);

describe("mentions in a note [issue 17]", () => {
  test.each<[string, string[]]>([
    ["@anna@example.test", ["anna@example.test"]],
    ["Ask @Anna.B+ops@Example.Test, please.", ["anna.b+ops@example.test"]],
    ["(@anna@example.test) and @ben@example.test.", ["anna@example.test", "ben@example.test"]],
    ["@anna@example.test @ANNA@example.test", ["anna@example.test"]],
    ["anna@example.test", []],
    ["x@anna@example.test", []],
    ["@anna", []],
    ["@@example.test @anna@ @", []],
    ["", []],
  ])("%j mentions %j", (note, emails) => {
    expect(emailsIn(note)).toEqual(emails);
  });

  test("the parts together are the note, whatever it is", () => {
    const pieces = fc.constantFrom("@", "a", "@a@b.c", " ", ".", "<b>", "\n", "é", "-", "@@");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(pieces).map((all) => all.join("")),
        ),
        (note) => {
          const parts = noteParts(note);
          expect(parts.map(({ text }) => text).join("")).toBe(note);
          for (const { text, email } of parts) if (email !== null) expect(text.toLowerCase()).toBe(`@${email}`);
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
        expect(emailsIn(note)).toEqual([email]);
        expect(newlyMentioned(`${note}\n${rest}`, note)).toEqual([]);
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
