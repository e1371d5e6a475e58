export { AccountChangeResource, accountChangeResource } from "./account-change-resource.ts";
export { FieldChangeResource, fieldChangeResource } from "./field-change-resource.ts";
export { ProvenanceResource, provenanceResource } from "./provenance-resource.ts";
