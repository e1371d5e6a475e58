/** The slider moves from change to change; its last position is the current state. */
export function slideThroughChanges(page: Document): void {
  const slider = page.querySelector<HTMLElement>("[data-change-times]");
  const input = slider?.querySelector<HTMLInputElement>("input");
  const output = slider?.querySelector("output");
  if (!slider || !input || !output) return;
  const times = (slider.dataset.changeTimes ?? "").split(" ");
  const labels = (slider.dataset.changeLabels ?? "").split("|");
  const updateOutput = (): void => {
    const text = labels[input.valueAsNumber] ?? "Current";
    output.textContent = text;
    input.setAttribute("aria-valuetext", text);
  };
  input.addEventListener("input", updateOutput);
  input.addEventListener("change", () => {
    const url = new URL(location.href);
    const at = times[input.valueAsNumber];
    if (at === undefined) url.searchParams.delete("as_of");
    else url.searchParams.set("as_of", at);
    location.assign(url);
  });
  updateOutput();
  slider.hidden = false;
}
