export {
  type CustomFieldEntity,
  type CustomFieldRepository,
  createCustomFieldRepository,
} from "./custom-field-repository.ts";
export {
  type CustomFieldDefinitionRepository,
  createCustomFieldDefinitionRepository,
} from "./definition-repository.ts";
export { type CustomFieldOptionRepository, createCustomFieldOptionRepository } from "./option-repository.ts";
