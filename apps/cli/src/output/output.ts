import type { ProcessContext } from "../process-context.ts";
import { type Column, flattenFields, formatCells } from "./cells.ts";
import { renderFields, renderTable, type TableStyle } from "./table.ts";

/** `table` for terminals, `json` for programs. */
export type Shape = "table" | "json";

export interface OutputChoice {
  readonly json?: boolean | undefined;
  readonly raw?: boolean | undefined;
  readonly mapped?: boolean | undefined;
}

/** Tables on a terminal and JSON on a pipe, unless an option selects one. */
export function createOutput(context: ProcessContext, choice: OutputChoice) {
  const shape: Shape = choice.json || choice.raw || choice.mapped || !context.isTerminal ? "json" : "table";
  const { NO_COLOR: noColour, TERM: terminal } = context.environment;
  const style: TableStyle = {
    columns: context.columns,
    colour: context.isTerminal && !noColour && terminal !== "dumb",
  };
  return {
    shape,
    /** Format to request from the client. */
    format: choice.raw === true ? ("raw" as const) : ("mapped" as const),
    async json(value: unknown): Promise<void> {
      await context.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    /** One line for each record, as soon as it is there. */
    async jsonLine(value: unknown): Promise<void> {
      await context.write(`${JSON.stringify(value)}\n`);
    },
    async table(columns: readonly Column[], records: readonly unknown[]): Promise<void> {
      const titles = columns.map(({ title }) => title);
      await context.write(
        renderTable(
          titles,
          records.map((record) => formatCells(record, columns)),
          style,
        ),
      );
    },
    /** The records of a response as a table, or a remark when there are none; in JSON the whole response. */
    async page(columns: readonly Column[], response: unknown, nothing: string): Promise<void> {
      if (shape === "json") return this.json(response);
      const { items } = response as { readonly items: readonly unknown[] };
      await (items.length === 0 ? this.note(nothing) : this.table(columns, items));
    },
    async fields(record: unknown): Promise<void> {
      await context.write(renderFields(flattenFields(record), style));
    },
    /** A record: fields on a terminal, else JSON. */
    async record(value: unknown): Promise<void> {
      await (shape === "json" ? this.json(value) : this.fields(value));
    },
    /** A remark for a person; never on stdout, which is for results. */
    note(text: string): void {
      context.writeError(`${text}\n`);
    },
  };
}

export type Output = ReturnType<typeof createOutput>;
