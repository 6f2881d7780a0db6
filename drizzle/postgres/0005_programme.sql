-- What those who run the programme decide, as JSON. One row, from the first start of a server on.
CREATE TABLE programme (
  id bigint PRIMARY KEY CHECK (id = 1),
  content text COLLATE "C" NOT NULL
);
