import { containerId } from "./arguments.ts";
import { containerContext } from "./container-context.ts";
import { definePrompt, userText } from "./define-prompt.ts";

export const checkDemurrage = definePrompt({
  name: "check-demurrage",
  title: "Check demurrage risk",
  description: "Judges from a container's last free day, holds and fees whether storage charges threaten.",
  arguments: [containerId],
  async messages(values, caller) {
    const id = values[containerId.name] ?? "";
    return [
      await containerContext(id, caller),
      userText(
        [
          "Judge the demurrage risk of this container.",
          "1. The last free day (pickup_lfd) and the days left, counted in pod_timezone; say so when it is not reported.",
          "2. Whether it can be picked up now: available_for_pickup is true and no hold has status hold.",
          "3. Holds that block it, and who can lift each.",
          "4. Fees already assessed; the fee `total` sums the others. Daily rates only from demurrage by own rules. Do not invent any.",
          "5. How fresh this is (terminal_checked_at), and what to do next, most urgent first.",
          `Call get_container(id=${id}, include=[demurrage]) for newer facts and what the rules of the account charge.`,
        ].join("\n"),
      ),
    ];
  },
});
