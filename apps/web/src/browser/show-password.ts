const labels = { password: "Show", text: "Hide" } as const;

/** Adds a button that shows the typed password. Passwords are hidden again when the form is submitted. */
export function offerToShow(page: Document): void {
  for (const container of page.querySelectorAll<HTMLElement>(".password")) {
    const input = container.querySelector("input");
    if (!input) continue;
    const button = Object.assign(page.createElement("button"), { type: "button", className: "quiet" });
    const setType = (type: keyof typeof labels): void => {
      input.type = type;
      button.textContent = labels[type];
      button.setAttribute("aria-label", `${labels[type]} password`);
    };
    setType("password");
    button.addEventListener("click", () => setType(input.type === "password" ? "text" : "password"));
    input.form?.addEventListener("submit", () => setType("password"));
    container.append(button);
  }
}
