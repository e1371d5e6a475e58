import { milestoneGlossary } from "../resources/milestone-glossary.ts";
import { containerId } from "./arguments.ts";
import { containerContext } from "./container-context.ts";
import { definePrompt, userText } from "./define-prompt.ts";

const { uri, name, title, mimeType } = milestoneGlossary;

export const analyzeDelays = definePrompt({
  name: "analyze-delays",
  title: "Analyze delays",
  description: "Compares a container's milestones with its first estimates and explains where time was lost.",
  arguments: [containerId],
  async messages(values, caller) {
    const id = values[containerId.name] ?? "";
    return [
      await containerContext(id, caller),
      { role: "user", content: { type: "resource_link", uri, name, title, mimeType } },
      userText(
        [
          "Analyze the delays of this container.",
          `1. Read its history with get_container_transport_events(id=${id}) and its shipment with get_shipment_details.`,
          "2. Compare pod_original_eta_at with pod_eta_at or pod_ata_at, and the same for departure.",
          "3. Find gaps between milestones that are longer than usual, at transshipments above all.",
          "4. Separate what the events show from what you suppose.",
          "5. State the effect on arrival and pickup, and what to ask the shipping line.",
        ].join("\n"),
      ),
    ];
  },
});
