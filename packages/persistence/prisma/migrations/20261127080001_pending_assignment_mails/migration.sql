-- Further exceptions that the same user assigns to the same member join the mail that is not sent yet.
CREATE UNIQUE INDEX CONCURRENTLY mention_mails_pending_assignment_key ON mention_mails (account_id, user_id, author_user_id)
  NULLS NOT DISTINCT WHERE exception_ids IS NOT NULL AND attempts = 0;
