import path from "node:path";

export const repository = path.resolve(import.meta.dirname, "../..");
export const specificationFile = path.join(repository, "docs/contract/specification.md");
export const coverageFile = path.join(repository, "docs/specification-coverage.md");
export const checklistFile = path.join(repository, "docs/api-checklist.md");
