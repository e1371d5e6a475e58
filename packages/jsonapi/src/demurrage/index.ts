export { ContainerDemurrageResource, containerDemurrageResource } from "./container-demurrage-resource.ts";
export { createDemurrageRuleDocument, editDemurrageRuleDocument } from "./demurrage-rule-documents.ts";
export { DemurrageRuleResource, demurrageRuleResource } from "./demurrage-rule-resource.ts";
