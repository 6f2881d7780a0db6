-- What senders call their requests that send points. A sender uses a reference once, for ever.
CREATE TABLE transaction_references (
  user_id bigint NOT NULL REFERENCES users (id),
  reference text COLLATE "C" NOT NULL CHECK (reference <> ''),
  -- Tells whether another request with the reference is the same.
  request_hash text COLLATE "C" NOT NULL,
  -- The first transaction that the request made, and how many there are, with consecutive ids.
  transaction_id bigint NOT NULL REFERENCES transactions (id),
  transaction_count bigint NOT NULL CHECK (transaction_count > 0),
  -- The sender's balance right after: part of the answer.
  balance bigint NOT NULL,
  PRIMARY KEY (user_id, reference)
);

CREATE INDEX transaction_references_by_reference ON transaction_references (reference);
CREATE UNIQUE INDEX transaction_references_by_transaction ON transaction_references (transaction_id);
