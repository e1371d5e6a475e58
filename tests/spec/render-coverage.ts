import fs from "node:fs";
import { citationsOf } from "./citations.ts";
import { coverageOf, renderCoverage } from "./coverage.ts";
import { coverageFile, repository } from "./repository.ts";
import { requirements } from "./requirements.ts";

fs.writeFileSync(coverageFile, renderCoverage(coverageOf(requirements, citationsOf(repository))));
