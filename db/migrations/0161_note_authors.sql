-- The person who wrote a note, a row of users; null for notes from before.
alter table customer_notes add column written_by bigint;
