/** The subject of a token: a user in one of their accounts. */
export interface Subject {
  readonly accountId: string;
  readonly userId: string;
}

export const subjectId = ({ accountId, userId }: Subject): string => `${accountId}:${userId}`;

export function readSubject(id: string): Subject {
  const [accountId = "", userId = ""] = id.split(":");
  return { accountId, userId };
}
