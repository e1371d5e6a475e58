import type { Html } from "@svc/views";
import { problemsOfCall } from "./api-problems.ts";
import { hasProblems, type Problems } from "./field.ts";
import type { FormValues } from "./form-values.ts";
import { saveOverChanges } from "./merge-edit.ts";
import { beforeForm, type FormFields, mergeForm } from "./merge-form.ts";

/** A form with which a stored record is edited. */
interface EditForm<Stored extends { readonly id: string }, Form extends object> {
  /** Name of the record in messages, such as "demurrage rule". */
  readonly kind: string;
  readonly values: FormValues;
  readonly find: () => Promise<{ readonly read: { readonly data: Stored }; readonly entityTag: string }>;
  readonly formOf: (record: Stored) => Form;
  readonly fields: FormFields<Form>;
  /** What the form submits; `present` is the form of the record. */
  readonly readForm: (present: Form) => Form | Promise<Form>;
  /** Returns the problems that can be found without the API, by field. */
  readonly problemsOfForm: (form: Form) => Problems;
  readonly update: (id: string, form: Form, options: { readonly ifMatch: string }) => Promise<unknown>;
  /** The field of a JSON pointer of the API, or "" for none. */
  readonly fieldOf: (pointer: string) => string;
  /** Shows the form again: with 412 if the record was changed meanwhile, with 422 if it is not valid. */
  readonly showAgain: (
    status: 412 | 422,
    shown: { readonly id: string; readonly form: Form; readonly before: Html; readonly problems: Problems },
  ) => Promise<void>;
  readonly onSaved: (id: string) => void;
}

/** Saves the record of a form, or shows the form again with what is wrong. Keeps what others changed meanwhile. */
export const saveForm = <Stored extends { readonly id: string }, Form extends object>(
  edit: EditForm<Stored, Form>,
): Promise<void> =>
  saveOverChanges(async () => {
    const { read, entityTag } = await edit.find();
    const { id } = read.data;
    const present = edit.formOf(read.data);
    const entered = await edit.readForm(present);
    const { form, problems: conflicts } = mergeForm(edit.fields, edit.values, { record: edit.kind, present, entered });
    const showAgain = (status: 412 | 422, problems: Problems) =>
      edit.showAgain(status, { id, form, before: beforeForm(present), problems });
    if (hasProblems(conflicts)) return showAgain(412, conflicts);
    const problems = edit.problemsOfForm(form);
    if (hasProblems(problems)) return showAgain(422, problems);
    const refused = await problemsOfCall(edit.update(id, form, { ifMatch: entityTag }), edit.fieldOf);
    if (hasProblems(refused)) return showAgain(422, refused);
    edit.onSaved(id);
  });
