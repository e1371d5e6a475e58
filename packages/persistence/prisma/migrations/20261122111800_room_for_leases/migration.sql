-- Room on each page for the claims of a subject: a claim changes no indexed column, so it then stays on its page and writes no index.
ALTER TABLE tracking_subjects SET (fillfactor = 70);
