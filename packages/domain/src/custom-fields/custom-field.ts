import type { Instant } from "../instant.ts";

/** The resources that can have custom fields. */
export const customFieldEntityTypes = ["Shipment", "Container", "TrackingRequest"] as const;
export type CustomFieldEntityType = (typeof customFieldEntityTypes)[number];

export const customFieldDataTypes = [
  "short_text",
  "number",
  "date",
  "datetime",
  "boolean",
  "enum",
  "enum_multi",
  "reference",
] as const;
export type CustomFieldDataType = (typeof customFieldDataTypes)[number];

/** The targets of fields of the type "reference". */
export const customFieldReferenceTypes = ["Party", ...customFieldEntityTypes] as const;
export type CustomFieldReferenceType = (typeof customFieldReferenceTypes)[number];

/** A list of strings belongs to the type "enum_multi". */
export type CustomFieldValue = string | number | boolean | readonly string[];

/** Bounds of a number or of the length of a short text. An absent bound does not apply. */
export interface CustomFieldValidation {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
}

export interface CustomFieldOption {
  readonly id: string;
  readonly definitionId: string;
  readonly label: string;
  readonly value: string;
  readonly position: number | null;
  readonly rowVersion: number;
  readonly createdAt: Instant;
}

export interface CustomFieldDefinition {
  readonly id: string;
  readonly entityType: CustomFieldEntityType;
  readonly apiSlug: string;
  readonly displayName: string;
  readonly dataType: CustomFieldDataType;
  readonly description: string | null;
  readonly referenceType: CustomFieldReferenceType | null;
  readonly validation: CustomFieldValidation | null;
  /** A display hint for clients. The service stores it without interpreting it. */
  readonly defaultFormat: string | null;
  /** The value when a field is written without one. */
  readonly defaultValue: CustomFieldValue | null;
  /** Values of its options, for the types "enum" and "enum_multi". */
  readonly optionValues: readonly string[];
  readonly rowVersion: number;
  readonly createdAt: Instant;
}

/** A value of a tracking request for its shipment or containers, set when they are created. */
export interface InitialCustomField {
  readonly entityType: "Shipment" | "Container";
  readonly definitionId: string;
  readonly value: CustomFieldValue;
  /** Null: every container. */
  readonly containerNumber: string | null;
}

/** A value that a shipment, container or tracking request has. */
export interface CustomField {
  readonly id: string;
  readonly definitionId: string;
  readonly apiSlug: string;
  readonly entityType: CustomFieldEntityType;
  readonly entityId: string;
  readonly value: CustomFieldValue;
  /** Text for display: labels of options, the name of the referenced record. Null: it does not exist. */
  readonly displayValue: string | null;
  readonly rowVersion: number;
  readonly createdAt: Instant;
}
