-- What a reward is worth in money, in thousandths of the programme's currency, and whether it is income to be taxed. A
-- redemption keeps both as they were when it was made, as it keeps the name.
ALTER TABLE rewards ADD COLUMN money_value INTEGER CHECK (money_value BETWEEN 0 AND 1000000000000);
ALTER TABLE rewards ADD COLUMN taxable INTEGER NOT NULL DEFAULT 0 CHECK (taxable IN (0, 1));
ALTER TABLE redemptions ADD COLUMN money_value INTEGER CHECK (money_value BETWEEN 0 AND 1000000000000);
ALTER TABLE redemptions ADD COLUMN taxable INTEGER NOT NULL DEFAULT 0 CHECK (taxable IN (0, 1));
