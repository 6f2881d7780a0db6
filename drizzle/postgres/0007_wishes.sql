-- The cover of a reward without a picture.
ALTER TABLE rewards ADD COLUMN emoji text COLLATE "C" CHECK (emoji <> '');

-- Rewards that people mark as what they would like. Redeeming one ends its wish.
CREATE TABLE wishes (
  user_id bigint NOT NULL REFERENCES users (id),
  reward_id bigint NOT NULL REFERENCES rewards (id),
  date bigint NOT NULL,
  PRIMARY KEY (user_id, reward_id)
);

CREATE INDEX wishes_by_reward ON wishes (reward_id);
