const labels = { password: "Show", text: "Hide" } as const;

/** Adds a button that shows the typed password. Passwords are hidden again when the form is submitted. */
export function offerToShow(page: Document): void {
  for (const box of page.querySelectorAll<HTMLElement>(".password")) {
    const input = box.querySelector("input");
    if (!input) continue;
    const button = Object.assign(page.createElement("button"), { type: "button", className: "quiet" });
    const turn = (type: keyof typeof labels): void => {
      input.type = type;
      button.textContent = labels[type];
      button.setAttribute("aria-label", `${labels[type]} password`);
    };
    turn("password");
    button.addEventListener("click", () => turn(input.type === "password" ? "text" : "password"));
    input.form?.addEventListener("submit", () => turn("password"));
    box.append(button);
  }
}
