export {
  type CustomFieldEntity,
  createCustomFieldRepository,
} from "./custom-field-repository.ts";
export { createCustomFieldDefinitionRepository } from "./definition-repository.ts";
export { createCustomFieldOptionRepository } from "./option-repository.ts";
export type { ValuesOfDefinition } from "./records-with-values.ts";
