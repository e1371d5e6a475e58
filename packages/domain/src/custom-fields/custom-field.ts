import type { Instant } from "../instant.ts";

/** What a custom field can belong to. */
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

/** What a field of the type "reference" can point at. */
export const customFieldReferenceTypes = ["Party", ...customFieldEntityTypes] as const;
export type CustomFieldReferenceType = (typeof customFieldReferenceTypes)[number];

/** A list of texts is of the type "enum_multi". */
export type CustomFieldValue = string | number | boolean | readonly string[];

/** Bounds of a number, or of a short text's length; an absent one is none. */
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
  /** How a client may show the value; the service keeps it and does nothing with it. */
  readonly defaultFormat: string | null;
  /** Taken where a field is written without a value. */
  readonly defaultValue: CustomFieldValue | null;
  /** Values of its options, for the types "enum" and "enum_multi". */
  readonly optionValues: readonly string[];
  readonly rowVersion: number;
  readonly createdAt: Instant;
}

/** A value that a tracking request wants its shipment or its containers to have, as soon as they are there. */
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
  /** For people: labels of options, the name of what is referred to. Null: that is not there. */
  readonly displayValue: string | null;
  readonly rowVersion: number;
  readonly createdAt: Instant;
}
