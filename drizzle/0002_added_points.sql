-- The entry of the feed to whose receivers the transfer adds points. Of a group, the first transfer.
ALTER TABLE transactions ADD COLUMN adds_to INTEGER REFERENCES transactions (id)
  CHECK (adds_to IS NULL OR adds_to < id AND kind = 'transfer' AND user_id <> from_id AND group_id IS NULL);

CREATE INDEX transactions_by_added ON transactions (adds_to) WHERE adds_to IS NOT NULL;
