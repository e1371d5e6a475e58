import { describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { addShipment } from "../testing/add-shipment.ts";
import { startTestWeb } from "../testing/start-test-web.ts";
import { visibleText } from "../testing/visible-text.ts";

const path = "/account/emissions";
const form = {
  name: "Asia to Europe",
  energyScope: "well_to_wake",
  gramsPerTeuKm: "62.5",
  distanceBasis: "actual_distance",
  source: "Clean Cargo 2025",
  carrierScac: "",
  origins: "cn, krpus",
  destinations: "NL DE",
  vesselImo: "",
  equipment: "",
  validFrom: "",
  validUntil: "",
};

const app = started(() => startTestWeb({ withApi: true }));

const account = started(() => app.addAccount());
const owner = started(() => app.visit(account));

const textOf = async (address: string, by = owner) => (await by.get(address)).text();
const factors = () =>
  app.database.prisma.emissionFactor.findMany({ where: { accountId: account.id }, orderBy: { id: "asc" } });
const send = (parts: Readonly<Record<string, string | File>>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(parts)) body.set(name, value);
  const headers = { cookie: owner.cookie, "sec-fetch-site": "same-origin" };
  return fetch(`${app.url}${path}/import`, { method: "POST", redirect: "manual", headers, body });
};

describe("emission factors on the pages", () => {
  test("a factor is created, shown, edited and deleted", async () => {
    expect(visibleText(await textOf(path))).toContain("No factors yet");
    const created = await owner.post(path, { ...form, key: "" });
    expect([created.status, created.headers.get("location")]).toEqual([303, `${path}?done=created`]);
    const [factor] = await factors();
    expect(factor).toMatchObject({ gramsPerTeuKm: 62.5, origins: ["CN", "KRPUS"], destinations: ["DE", "NL"] });
    const page = await textOf(path);
    expect(page).toContain("well-to-wake, +15\u00A0%<");
    const list = visibleText(page);
    expect(list).toContain("62.5 well-to-wake");
    expect(list).toContain("CN KRPUS → DE NL");
    const edit = `${path}/${factor?.id}/edit`;
    expect(await textOf(edit)).toContain('value="CN KRPUS"');
    const saved = await owner.post(edit, { ...form, bothDirections: "yes", equipment: "reefer", vesselImo: "9321483" });
    expect(saved.headers.get("location")).toBe(`${path}?done=saved`);
    expect(visibleText(await textOf(path))).toContain("CN KRPUS ↔ DE NL, vessel 9321483, reefer");
    expect(await textOf(`${path}/${factor?.id}/delete`)).toContain("Delete “Asia to Europe”?");
    await owner.post(`${path}/${factor?.id}/delete`, {});
    expect(await factors()).toEqual([]);
  });

  test.each([
    ["no grams", { gramsPerTeuKm: "much" }, "Enter grams of CO2e as a number"],
    ["a decimal comma", { gramsPerTeuKm: "62,5" }, "with a decimal point"],
    ["no distance basis", { distanceBasis: "" }, "Choose the distance"],
    ["no source", { source: "" }, "Enter where the value is from"],
    ["an unknown port", { origins: "CNZZZ" }, "No port with the UN/LOCODE CNZZZ"],
    ["an unknown country", { destinations: "ZQ" }, "no country of ISO 3166-1"],
    ["a wrong IMO number", { vesselImo: "9321484" }, "no IMO number"],
    ["a direction of any lane", { origins: "", destinations: "", bothDirections: "yes" }, "has no direction"],
  ])("%s is explained beside the field, with the form as it was filled", async (_what, changes, problem) => {
    const response = await owner.post(path, { ...form, ...changes });
    const text = await response.text();
    expect(response.status).toBe(422);
    expect(visibleText(text)).toContain(problem);
    expect(text).toContain("Asia to Europe");
    expect(await factors()).toEqual([]);
  });

  test("a file is imported, or its rows are named", async () => {
    const csv =
      "name,energy_scope,grams_per_teu_km,distance_basis,source,origins\nA,well_to_wake,80,actual_distance,B,CN JP";
    const wrong = await send({ text: `${csv}\nC,well_to_wake,x,actual_distance,D,KR` });
    expect(wrong.status).toBe(422);
    expect(visibleText(await wrong.text())).toMatch(/Nothing was imported.* 2 grams_per_teu_km .*must be a number/);
    expect((await send({ text: "" })).status).toBe(422);
    expect(await factors()).toEqual([]);
    const imported = await send({ text: "", file: new File([csv], "factors.csv", { type: "text/csv" }) });
    expect([imported.status, imported.headers.get("location")]).toEqual([303, `${path}?done=imported`]);
    const [factor] = await factors();
    expect(factor).toMatchObject({ name: "A", gramsPerTeuKm: 80, origins: ["CN", "JP"] });
    // The template itself is a file that can be imported.
    const template = await owner.get(`${path}/import/template.csv`);
    expect(template.headers.get("content-disposition")).toBe("attachment; filename=emission-factors.csv");
    expect((await send({ text: await template.text() })).status).toBe(303);
    for (const { id } of await factors()) await owner.post(`${path}/${id}/delete`, {});
  });

  test("the container's page shows emissions once there is a factor; one of another account is not found", async () => {
    const { containerIds } = await addShipment(app.database, account.id, {
      number: "SBXL78",
      containers: ["SBXU0000019"],
    });
    const [id = ""] = containerIds;
    expect(await textOf(`/containers/${id}`)).not.toContain('id="emissions"');
    await owner.post(path, form);
    const pageText = visibleText(await textOf(`/containers/${id}`));
    expect(pageText).toContain("CO₂e Unknown: no call of a vessel was reported yet.");
    expect(pageText).not.toContain("Add factor");
    const [factor] = await factors();
    const otherVisitor = await app.visit(await app.addAccount());
    expect((await otherVisitor.get(`${path}/${factor?.id}/edit`)).status).toBe(404);
  });
});
