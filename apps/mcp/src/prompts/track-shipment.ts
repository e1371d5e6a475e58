import { carrier, containerNumber } from "./arguments.ts";
import { definePrompt, userText } from "./define-prompt.ts";

export const trackShipment = definePrompt({
  name: "track-shipment",
  title: "Track a shipment",
  description: "Finds a container, starts tracking it when it is not tracked yet, and reports where it is.",
  arguments: [containerNumber, carrier],
  async messages(values, { isReadOnly }) {
    const number = values[containerNumber.name];
    const scac = values[carrier.name];
    const call = scac ? `number=${number}, scac=${scac}` : `number=${number}`;
    return [
      userText(
        [
          `Track container ${number}${scac ? ` of the shipping line ${scac}` : ""}.`,
          `1. Look it up with search_container(query=${number}).`,
          isReadOnly
            ? "2. If nothing matches, say that it is not tracked: this connection is read-only. Stop there."
            : `2. Only if nothing matches, start tracking it with track_container(${call}, numberType=container).`,
          "3. With the container's id call get_container(id, include=[shipment, pod_terminal, transport_events]).",
          "4. Report its status and last known location, the estimated or actual arrival, and any holds, fees or deadlines.",
          "Say plainly what is not reported yet.",
        ].join("\n"),
      ),
    ];
  },
});
