import type { Classifier } from "../observations/observation.ts";
import { compareNewness, type Statement } from "./statement.ts";

export interface StandingStatements {
  /** What the sources still say. */
  readonly holding: readonly Statement[];
  /** Heard once, and replaced or vanished since. What a source took back itself is in neither list. */
  readonly lapsed: readonly Statement[];
}

const strength: Readonly<Record<Classifier, number>> = { PLN: 1, EST: 2, ACT: 3 };

/**
 * Sorts out what holds. A retraction with a `sourceEventId` takes back that message, one without takes back every
 * statement of the same fact. A message told again under its id replaces its older version, except that an estimate
 * stays known when its actual follows under the same id.
 */
export function standingStatements(statements: readonly Statement[]): StandingStatements {
  const retractions = statements.filter(({ observation }) => observation.retracted);
  const replacements = newestVersions(statements);
  if (retractions.length === 0 && replacements.size === 0) return { holding: statements, lapsed: [] };

  const retractionsOf = new Map<string, Statement[]>();
  for (const retraction of retractions) {
    const key = retractionKey(retraction);
    const others = retractionsOf.get(key);
    if (others === undefined) retractionsOf.set(key, [retraction]);
    else others.push(retraction);
  }
  const holding: Statement[] = [];
  const lapsed: Statement[] = [];
  for (const statement of statements) {
    if (statement.observation.retracted) continue;
    const retracting = retractions.length === 0 ? [] : retractionsFor(statement, retractionsOf);
    if (retracting.some((retraction) => isOwnRetraction(retraction, statement))) continue;
    const isVanished = retracting.some((retraction) => isHeardLater(retraction, statement));
    (isVanished || isReplaced(statement, replacements) ? lapsed : holding).push(statement);
  }
  return { holding, lapsed };
}

/** The source itself says, later than the statement, that it does not hold. */
function isOwnRetraction(retraction: Statement, statement: Statement): boolean {
  const saidAt = retraction.observation.statedAt;
  const originallyAt = statement.observation.statedAt;
  return saidAt !== null && originallyAt !== null && saidAt > originallyAt;
}

/** The source stopped saying it (no time of its own), so only when we heard of it counts. */
function isHeardLater(retraction: Statement, statement: Statement): boolean {
  const saidAt = retraction.observation.statedAt;
  const originallyAt = statement.observation.statedAt;
  if (saidAt !== null && originallyAt !== null && saidAt < originallyAt) return false;
  return retraction.observation.observedAt >= statement.observation.observedAt;
}

function retractionsFor(statement: Statement, retractionsOf: ReadonlyMap<string, Statement[]>): readonly Statement[] {
  const found = retractionsOf.get(factKey(statement)) ?? [];
  const key = messageKey(statement);
  return key === null ? found : [...found, ...(retractionsOf.get(key) ?? [])];
}

function retractionKey(retraction: Statement): string {
  return messageKey(retraction) ?? factKey(retraction);
}

function messageKey({ observation }: Statement): string | null {
  if (observation.sourceEventId === null) return null;
  return `message ${observation.sourceEventId} ${observation.code} ${observation.containerNumber}`;
}

function factKey(statement: Statement): string {
  const { code, classifier, eventAt, containerNumber, isEmpty, documentId } = statement.observation;
  const { mode, place, vessel } = statement;
  return `fact ${code} ${classifier} ${eventAt} ${containerNumber} ${isEmpty} ${documentId} ${mode} ${vessel} ${place}`;
}

/** The newest version of each message that was told more than once. */
function newestVersions(statements: readonly Statement[]): ReadonlyMap<string, Statement> {
  const firstById = new Map<string, Statement>();
  const newestByMessage = new Map<string, Statement>();
  for (const statement of statements) {
    const { sourceEventId, retracted } = statement.observation;
    if (sourceEventId === null || retracted) continue;
    const first = firstById.get(sourceEventId);
    if (first === undefined) firstById.set(sourceEventId, statement);
    else for (const version of [first, statement]) keepNewest(newestByMessage, version);
  }
  return newestByMessage;
}

function keepNewest(newestByMessage: Map<string, Statement>, version: Statement): void {
  const key = messageKey(version);
  if (key === null) return;
  const known = newestByMessage.get(key);
  if (known === undefined || compareNewness(version, known) > 0) newestByMessage.set(key, version);
}

function isReplaced(statement: Statement, replacements: ReadonlyMap<string, Statement>): boolean {
  if (replacements.size === 0) return false;
  const key = messageKey(statement);
  const replacement = key === null ? undefined : replacements.get(key);
  if (replacement === undefined || compareNewness(replacement, statement) <= 0) return false;
  const isFulfilled =
    strength[replacement.classifier] > strength[statement.classifier] && isSameMove(replacement, statement);
  return !isFulfilled;
}

function isSameMove(a: Statement, b: Statement): boolean {
  return a.place === b.place && a.mode === b.mode && (a.vessel === b.vessel || a.vessel === null || b.vessel === null);
}
