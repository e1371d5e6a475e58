import { idCases, routeCases } from "./corpus/addresses.ts";
import { fileCases } from "./corpus/files.ts";
import { byteCases, headerCases, tokenCases } from "./corpus/headers.ts";
import { kindCases, missingMemberCases, textCases, unknownMemberCases } from "./corpus/members.ts";
import { queryCases } from "./corpus/queries.ts";
import { harmlessCases } from "./corpus/reads.ts";
import { sizeCases } from "./corpus/sizes.ts";
import { syntaxCases } from "./corpus/syntax.ts";
import type { FuzzCase } from "./fuzz-case.ts";
import type { FuzzContext } from "./fuzz-context.ts";
import { Random } from "./random.ts";

/** The same cases for the same seed and the same operations. */
export function buildCorpus({ operations, api: { account } }: FuzzContext, seed: number): readonly FuzzCase[] {
  const random = new Random(seed);
  const { token, readToken } = account;
  const families = [
    syntaxCases,
    kindCases,
    textCases,
    unknownMemberCases,
    missingMemberCases,
    sizeCases,
    fileCases,
    idCases,
    routeCases,
    queryCases,
    headerCases,
    harmlessCases,
  ];
  return [
    ...families.flatMap((family) => family(operations, random, token)),
    ...tokenCases(operations, random, token, readToken),
    ...byteCases(token),
  ];
}
