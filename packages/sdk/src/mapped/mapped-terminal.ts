import type { Included } from "../documents/included.ts";

/** The names are null when the terminal was not included. */
export interface MappedTerminal {
  readonly id: string;
  readonly name: string | null;
  readonly nickname: string | null;
  readonly firmsCode: string | null;
}

export function mapTerminal(
  identifier: { readonly type: "terminal" | "rail_terminal"; readonly id: string } | null | undefined,
  included: Included,
): MappedTerminal | null {
  if (identifier === null || identifier === undefined) return null;
  const attributes = included.find(identifier)?.attributes;
  return {
    id: identifier.id,
    name: attributes?.name ?? null,
    nickname: attributes?.nickname ?? null,
    firmsCode: attributes?.firms_code ?? null,
  };
}
