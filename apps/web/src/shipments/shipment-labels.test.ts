import { expect, test } from "@jest/globals";
import { containerStateLabel } from "./shipment-labels.ts";

test("a container that waits between two vessels is not called on ship", () => {
  expect(containerStateLabel("on_ship", "transshipment_discharged")).toBe("At transshipment port");
  for (const event of ["transshipment_arrived", "transshipment_loaded", "vessel_departed", "vessel_arrived", null]) {
    expect([event, containerStateLabel("on_ship", event)]).toEqual([event, "On board"]);
  }
  expect(containerStateLabel("grounded", "transshipment_discharged")).toBe("Grounded");
  expect(containerStateLabel("new", null)).toBe("At origin");
});
