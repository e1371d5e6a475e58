/** Carriers and users write texts: nothing in them may move the cursor, change colours or hide what follows. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const segmenter = new Intl.Segmenter();

/** Characters as a person counts them, with the columns that each takes on a terminal. */
function characters(text: string): { readonly text: string; readonly width: number }[] {
  return Array.from(segmenter.segment(text), ({ segment }) => ({ text: segment, width: wide.test(segment) ? 2 : 1 }));
}

export function displayWidth(text: string): number {
  return characters(text).reduce((sum, { width }) => sum + width, 0);
}

/** Shortens the text to the width, with an ellipsis when something is left out. */
export function shortened(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let truncated = "";
  let used = 1;
  for (const character of characters(text)) {
    if (used + character.width > width) break;
    truncated += character.text;
    used += character.width;
  }
  return `${truncated}…`;
}
