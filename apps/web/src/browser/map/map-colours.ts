const names = ["accent", "on-accent", "bad", "late", "card", "text", "sea", "land", "coast"] as const;

/** The colours of the page in the current theme, as `rgb(…)`. */
export type MapColours = Readonly<Record<(typeof names)[number], string>>;

/** Custom properties hold `light-dark(…)`, which only the computed colour of an element resolves. */
export function readColours(holder: HTMLElement): MapColours {
  const probe = document.createElement("span");
  holder.append(probe);
  const colours = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(colours) as MapColours;
}
