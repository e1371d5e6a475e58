-- When a user showed that the address is theirs. Null of users so far: an invitation was accepted by the first person to open its link.
ALTER TABLE "users" ADD COLUMN "email_proven_at" TIMESTAMPTZ(3);

-- A link that the operator hands over shows nothing about the address, unlike a mailed one.
ALTER TABLE "password_resets" ADD COLUMN "by_operator" BOOLEAN NOT NULL DEFAULT false;
