import { cutText } from "./clean-text.ts";
import { estimateTokens } from "./estimate-tokens.ts";

/** The estimate may be a few per cent too low. */
const estimateMargin = 1.08;

/** How many texts of a list are kept, from generous to none. A list of which none would be kept is left out. */
const listSteps = [10, 5, 3, 1, 0];
/** Minimum length of a cut text: longer than an id or a time, which must stay whole. */
const shortText = 40;

type Content = Record<string, unknown>;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

const isRows = (value: unknown): value is readonly Content[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "object" && item !== null);

/** Cuts each list of texts to `itemsMax` items, with `<name>_total` beside it where something was cut. */
function withShorterLists(value: unknown, itemsMax: number): unknown {
  if (Array.isArray(value)) return value.map((item) => withShorterLists(item, itemsMax));
  if (typeof value !== "object" || value === null) return value;
  const shorter: Content = {};
  for (const [name, member] of Object.entries(value)) {
    if (!isTexts(member) || member.length <= itemsMax) {
      shorter[name] = withShorterLists(member, itemsMax);
      continue;
    }
    if (itemsMax > 0) shorter[name] = member.slice(0, itemsMax);
    shorter[`${name}_total`] = member.length;
  }
  return shorter;
}

function withShorterTexts(value: unknown): unknown {
  if (typeof value === "string") return cutText(value, shortText);
  if (Array.isArray(value)) return value.map(withShorterTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withShorterTexts(member)]));
}

/**
 * The page that begins at the rows that were left out, in the place of the next page. Its size divides that of the
 * page, so that pages of both sizes begin at the same rows; some rows come twice. Without a page size the next page
 * stays: its rows are others.
 */
function pageAfter(rowCount: number, all: Content): Content {
  const { page, page_size: size, next_page: _nextPage, ...content } = all;
  if (typeof page !== "number" || typeof size !== "number") return all;
  const sizes = Array.from({ length: rowCount }, (_, index) => rowCount - index);
  const smaller = sizes.find((each) => size % each === 0) ?? 1;
  const next = Math.floor(((page - 1) * size + rowCount) / smaller) + 1;
  return { ...content, page, page_size: size, continue_with: { page: next, page_size: smaller } };
}

/** Drops the last tenth of the longest list and counts it in `<name>_omitted`. Undefined when one row is left. */
function withFewerRows(content: Content): Content | undefined {
  const lists = Object.entries(content).filter((entry): entry is [string, readonly Content[]] => isRows(entry[1]));
  const [longest] = lists.sort(([, a], [, b]) => b.length - a.length);
  if (longest === undefined || longest[1].length < 2) return undefined;
  const [name, rows] = longest;
  const omitted = Math.ceil(rows.length / 10);
  const before = content[`${name}_omitted`];
  const remaining = rows.slice(0, rows.length - omitted);
  return {
    ...(name === "groups" ? content : pageAfter(remaining.length, content)),
    [name]: remaining,
    [`${name}_omitted`]: omitted + (typeof before === "number" ? before : 0),
  };
}

/** Content together with its text. */
export interface FittedContent {
  readonly content: Content;
  readonly text: string;
}

/**
 * Cuts the content to its token budget: first lists of texts (reference numbers, tags), then long texts, then rows from
 * the end. Every cut shows how much was left out.
 */
export function fitContent(
  content: Content,
  renderText: (content: Content) => string,
  tokenBudget: number,
): FittedContent {
  const render = (content: Content): FittedContent => ({ content, text: renderText(content) });
  const fits = ({ text }: FittedContent) =>
    text.length <= tokenBudget || estimateTokens(text) * estimateMargin <= tokenBudget;
  let fitted = render(content);
  for (const itemsMax of listSteps) {
    if (fits(fitted)) return fitted;
    fitted = render(withShorterLists(content, itemsMax) as Content);
  }
  if (!fits(fitted)) fitted = render(withShorterTexts(fitted.content) as Content);
  while (!fits(fitted)) {
    const fewer = withFewerRows(fitted.content);
    if (fewer === undefined) return fitted;
    fitted = render(fewer);
  }
  return fitted;
}
