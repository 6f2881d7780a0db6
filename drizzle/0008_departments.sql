-- People of one department, for points to all of them.
CREATE INDEX users_by_dept ON users (dept);
