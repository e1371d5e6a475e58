import {
  type CustomFieldDefinition,
  type CustomFieldReferenceType,
  type CustomFieldValue,
  readCustomFieldValue,
} from "@svc/domain/custom-fields";
import type { Fault } from "@svc/jsonapi";
import type { Services } from "../services.ts";

export interface SentValue {
  readonly definition: CustomFieldDefinition;
  /** Value of the field. Default: that of the definition. */
  readonly value: CustomFieldValue | undefined;
  /** JSON pointer to the value in the request. */
  readonly pointer: string;
}

/** A value as it is stored, or why it does not fit. */
export type ReadValue = { readonly value: CustomFieldValue } | { readonly fault: Fault };

interface Reference {
  readonly type: CustomFieldReferenceType;
  readonly id: string;
}

const keyOf = ({ type, id }: Reference): string => `${type} ${id}`;

interface ReadAlone {
  readonly read: ReadValue;
  readonly reference: Reference | null;
  readonly pointer: string;
}

const fault = (code: Fault["code"], detail: string, pointer: string) => ({
  fault: { code, detail, source: { pointer } },
});

function readAlone({ definition, value: sent, pointer }: SentValue): ReadAlone {
  const refuse = (code: Fault["code"], detail: string) => ({
    read: fault(code, detail, pointer),
    reference: null,
    pointer,
  });
  const value = sent ?? definition.defaultValue;
  if (value === null) return refuse("blank", "value is required: the definition has no default.");
  const read = readCustomFieldValue(definition, value);
  if ("problem" in read) return refuse("invalid", `value ${read.problem}.`);
  const { referenceType: type } = definition;
  return { read, reference: type === null ? null : { type, id: String(read.value) }, pointer };
}

/** Reads the values, each in its place. One statement for each kind of record that they refer to, however many do. */
export async function readValues<const Sent extends readonly SentValue[]>(
  { customFields }: Services,
  accountId: string,
  sent: Sent,
): Promise<{ [Place in keyof Sent]: ReadValue }> {
  const alone = sent.map(readAlone);
  const references = alone.flatMap(({ reference }) => reference ?? []);
  const known = new Set<string>();
  for (const [type, typeReferences] of Map.groupBy(references, (reference) => reference.type)) {
    const ids = new Set(typeReferences.map(({ id }) => id));
    for (const id of await customFields.findRecords(accountId, type, [...ids])) known.add(keyOf({ type, id }));
  }
  const read = alone.map(({ read, reference, pointer }) =>
    reference === null || known.has(keyOf(reference))
      ? read
      : fault("invalid", `value must be the id of a ${reference.type} of this account.`, pointer),
  );
  return read as { [Place in keyof Sent]: ReadValue };
}
