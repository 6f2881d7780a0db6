-- The cover of a reward without a picture.
ALTER TABLE rewards ADD COLUMN emoji TEXT CHECK (emoji <> '');

-- Rewards that people mark as what they would like. Redeeming one ends its wish.
CREATE TABLE wishes (
  user_id INTEGER NOT NULL REFERENCES users (id),
  reward_id INTEGER NOT NULL REFERENCES rewards (id),
  date INTEGER NOT NULL,
  PRIMARY KEY (user_id, reward_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX wishes_by_reward ON wishes (reward_id);
