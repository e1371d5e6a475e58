const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The text as text of an HTML element, or of an attribute's value in quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
