-- A part of a statement belongs to one day, and its opening balance pays for all of its holds, so that no balance that a reader
-- adds up line by line falls below zero. Null until the account's next entry, which begins a part.
-- statement_lines.available_after_paise and held_after_paise are read no longer: lines take the opening balance of their part
-- from the ledger. The release before still reads them.
alter table wallets add column statement_day date;
alter table wallets add column statement_left_paise bigint;
