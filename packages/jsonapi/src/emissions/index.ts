export { ContainerEmissionsResource, containerEmissionsResource } from "./container-emissions-resource.ts";
export {
  createEmissionFactorDocument,
  editEmissionFactorDocument,
  factorColumns,
} from "./emission-factor-documents.ts";
export { EmissionFactorResource, emissionFactorResource } from "./emission-factor-resource.ts";
