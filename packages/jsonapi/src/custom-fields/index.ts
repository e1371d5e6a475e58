export {
  createCustomFieldDefinitionDocument,
  createCustomFieldDocument,
  createCustomFieldOptionDocument,
  editCustomFieldDefinitionDocument,
  editCustomFieldDocument,
  editCustomFieldOptionDocument,
  putCustomFieldDocument,
} from "./custom-field-documents.ts";
export {
  CustomFieldDefinitionResource,
  CustomFieldOptionResource,
  CustomFieldResource,
  customFieldDefinitionResource,
  customFieldOptionResource,
  customFieldResource,
  entityWireTypes,
} from "./custom-field-resources.ts";
export type { CustomFieldValidationObject } from "./custom-field-value.ts";
