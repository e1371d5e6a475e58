-- The roles viewer, operator, developer and owner. A member could do all that a developer may.
ALTER TABLE invitations DROP CONSTRAINT invitations_role_check;
UPDATE memberships SET role = 'developer' WHERE role = 'member';
UPDATE invitations SET role = 'developer' WHERE role = 'member';

-- The previous build still invites members.
CREATE FUNCTION replace_member_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.role := 'developer';
  RETURN NEW;
END $$;
CREATE TRIGGER replace_member_role BEFORE INSERT OR UPDATE OF role ON memberships FOR EACH ROW
  WHEN (NEW.role = 'member') EXECUTE FUNCTION replace_member_role();
CREATE TRIGGER replace_member_role BEFORE INSERT OR UPDATE OF role ON invitations FOR EACH ROW
  WHEN (NEW.role = 'member') EXECUTE FUNCTION replace_member_role();

ALTER TABLE memberships ADD CONSTRAINT memberships_role_check
  CHECK (role IN ('viewer', 'operator', 'developer', 'owner')) NOT VALID;
ALTER TABLE invitations ADD CONSTRAINT invitations_role_check
  CHECK (role IN ('viewer', 'operator', 'developer', 'owner')) NOT VALID;

-- What a token may do is limited by the role of the member who created it. Tokens that exist could do all that a developer may.
ALTER TABLE api_tokens ADD COLUMN role TEXT NOT NULL DEFAULT 'developer';
ALTER TABLE api_tokens ADD CONSTRAINT api_tokens_role_check
  CHECK (role IN ('viewer', 'operator', 'developer', 'owner')) NOT VALID;
