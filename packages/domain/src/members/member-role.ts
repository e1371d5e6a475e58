/** The roles of members, each with everything that the previous one may do. */
export const memberRoles = ["viewer", "operator", "developer", "owner"] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Actions of members, with the least role that each requires (docs/access.md). */
export const minRoles = {
  read: "viewer",
  /** Own password, second factor and sessions. */
  manage_own_sign_in: "viewer",
  track: "operator",
  edit_records: "operator",
  handle_exceptions: "operator",
  share: "operator",
  manage_alerts: "operator",
  exchange_edi: "operator",
  manage_tokens: "developer",
  manage_webhooks: "developer",
  connect_carriers: "developer",
  connect_applications: "developer",
  /** Alerts to other members, a mailbox, or a chat channel, which everybody in it reads. */
  manage_channel_alerts: "owner",
  manage_members: "owner",
  read_audit_log: "owner",
} as const satisfies Readonly<Record<string, MemberRole>>;

export type MemberAction = keyof typeof minRoles;

const rankOf = (role: MemberRole): number => memberRoles.indexOf(role);

export const isMemberRole = (text: string): text is MemberRole => (memberRoles as readonly string[]).includes(text);

/** Whether a member of this role, or an API token limited to it, may do this. */
export function mayDo(role: MemberRole, action: MemberAction): boolean {
  return rankOf(role) >= rankOf(minRoles[action]);
}

/** Why a role may not do this, with what to do about it. */
export function refusalMessage(role: MemberRole, action: MemberAction): string {
  return `This requires the role ${minRoles[action]} of the account; yours is ${role}. An owner of the account changes roles.`;
}
