-- What senders call their requests that send points. A sender uses a reference once, for ever.
CREATE TABLE transaction_references (
  user_id INTEGER NOT NULL REFERENCES users (id),
  reference TEXT NOT NULL CHECK (reference <> ''),
  -- Tells whether another request with the reference is the same.
  request_hash TEXT NOT NULL,
  -- The first transaction that the request made, and how many there are, with consecutive ids.
  transaction_id INTEGER NOT NULL REFERENCES transactions (id),
  transaction_count INTEGER NOT NULL CHECK (transaction_count > 0),
  -- The sender's balance right after: part of the answer.
  balance INTEGER NOT NULL,
  PRIMARY KEY (user_id, reference)
) STRICT, WITHOUT ROWID;

CREATE INDEX transaction_references_by_reference ON transaction_references (reference);
CREATE UNIQUE INDEX transaction_references_by_transaction ON transaction_references (transaction_id);
