-- What those who run the programme decide, as JSON. One row, from the first start of a server on.
CREATE TABLE programme (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  content TEXT NOT NULL CHECK (json_valid(content))
) STRICT;
