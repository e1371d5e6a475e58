ALTER TABLE memberships VALIDATE CONSTRAINT memberships_role_check;
ALTER TABLE invitations VALIDATE CONSTRAINT invitations_role_check;
ALTER TABLE api_tokens VALIDATE CONSTRAINT api_tokens_role_check;
