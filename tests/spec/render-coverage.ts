import fs from "node:fs";
import { citationsOf } from "./citations.ts";
import { coverageOf, coverageWithin, renderCoverage, renderSpecification } from "./coverage.ts";
import { checklist, ledger } from "./ledger.ts";
import { renderChecklist } from "./render-checklist.ts";
import { checklistFile, coverageFile, repository, specificationFile } from "./repository.ts";
import { requirements } from "./requirements.ts";

const coverage = coverageOf(ledger, citationsOf(repository));
fs.writeFileSync(specificationFile, renderSpecification(requirements));
fs.writeFileSync(coverageFile, renderCoverage(coverageWithin(coverage, requirements)));
fs.writeFileSync(checklistFile, renderChecklist(checklist, coverage));
for (const problem of coverage.problems) console.error(problem);
