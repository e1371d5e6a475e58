import { beforeAll, expect, test } from "@jest/globals";
import { containerCheckDigit } from "@svc/domain/identifiers";
import { started } from "@svc/testkit/started";
import { startApiProcess } from "./harness/api-process.ts";
import { connectMcp } from "./harness/connected-mcp.ts";
import { addPortfolio } from "./mcp-questions/portfolio.ts";
import { type WrongCall, wrongCalls } from "./mcp-questions/wrong-calls.ts";

let calls: readonly WrongCall[];

const api = started(startApiProcess);
beforeAll(async () => {
  const { accountId } = api.tenants[0];
  const shipments = await addPortfolio(api.database, accountId);
  const twoContainers = shipments.find(({ containers }) => containers.length === 2);
  const [container = "", other = ""] = twoContainers?.containers ?? [];
  const { id: containerId = "" } = await api.database.prisma.container.findFirstOrThrow({
    where: { number: container },
  });
  const digit = containerCheckDigit(container.slice(0, 10));
  const wrong = `${container.slice(0, 10)}${(digit + 1) % 10}`;
  calls = wrongCalls({
    bill: twoContainers?.bill ?? "",
    shipmentId: twoContainers?.id ?? "",
    container,
    other,
    containerId,
    wrong,
  });
}, 240_000);
const mcp = started(() => connectMcp(api));

interface Outcome {
  readonly text: string;
  readonly isError: boolean;
}

async function call(name: string, input: Readonly<Record<string, unknown>>): Promise<Outcome> {
  try {
    const result = await mcp.client.callTool({ name, arguments: input });
    const [block] = result.content as { readonly text: string }[];
    return { text: block?.text ?? "", isError: result.isError === true };
  } catch (error) {
    const { message, data } = error as Error & { readonly data?: unknown };
    return { text: `${message} ${JSON.stringify(data)}`, isError: true };
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Returns the problem of the text of a wrong call: it lacks what it must name, or what the next call needs. */
async function problemOf({ name, input, says, next }: WrongCall): Promise<string | undefined> {
  const { text } = await call(name, input);
  const [headline = ""] = text.split("\n");
  const label = `${name} ${JSON.stringify(input)}: ${headline}`;
  if (!says.test(text)) return `${label} does not say ${says}`;
  if (next === undefined) return undefined;
  const [tool, corrected] = next;
  const known = `${text} ${JSON.stringify(input)}`.toLowerCase();
  const invented = textsOf(corrected).filter((one) => !known.includes(one.toLowerCase()));
  if (invented.length > 0) return `${label} does not name ${invented.join(", ")}`;
  if (tool !== name && !text.includes(tool)) return `${label} does not name ${tool}`;
  const after = await call(tool, corrected);
  return after.isError ? `${label}, and then ${after.text}` : undefined;
}

test("sixty wrong calls are recoverable from their texts alone", async () => {
  expect(calls.length).toBeGreaterThanOrEqual(60);
  const problems: string[] = [];
  for (const one of calls) {
    const problem = await problemOf(one);
    if (problem) problems.push(problem);
  }
  expect(problems).toEqual([]);
}, 240_000);
