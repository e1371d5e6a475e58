import { describe, expect, test } from "@jest/globals";
import type { ExceptionResource } from "@svc/sdk";
import { groupQueueRows } from "./exception-groups.ts";

/** "SHIP/BOX kind"; without a container "SHIP kind"; of a tracking request "/ kind". */
function exceptionOf(text: string): ExceptionResource {
  const [subject = "", kind] = text.split(" ");
  const [shipment, container] = subject.split("/");
  const link = (id: string | undefined) => ({ data: id ? { id } : null });
  const relationships = { shipment: link(shipment), container: link(container) };
  return {
    id: text,
    attributes: { kind, number: container ?? shipment, shipment_number: shipment },
    relationships,
  } as unknown as ExceptionResource;
}

const rowsOf = (...texts: readonly string[]) =>
  groupQueueRows(texts.map(exceptionOf), ({ relationships }) => JSON.stringify(relationships)).map(
    ({ items, group }) => (group ? `${group.shipmentId} ${group.kind} ×${items.length}` : items[0].id),
  );

describe("the rows of the queue", () => {
  test("hold three or more containers of a shipment with the same kind, at the place of the most urgent", () => {
    expect(rowsOf("A/1 over", "B/1 over", "A/2 over", "C/1 over", "A/3 over", "B/2 over")).toEqual([
      "A over ×3",
      "B/1 over",
      "C/1 over",
      "B/2 over",
    ]);
  });

  test("are adjacent for one shipment or container", () => {
    const holds = ["A/1 hold", "A/2 hold", "A/3 hold"];
    expect(rowsOf("B/1 over", "A/1 over", "A/2 over", "A/3 over", "C/1 over", ...holds, "B/1 hold")).toEqual([
      "B/1 over",
      "B/1 hold",
      "A over ×3",
      "A hold ×3",
      "C/1 over",
    ]);
  });

  test("are not shared by shipments or tracking requests themselves", () => {
    expect(rowsOf("A delay", "B delay", "C delay", "/ failed", "/ failed", "/ failed")).toHaveLength(6);
  });
});
