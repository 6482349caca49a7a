-- True for a campaign whose recipients have a reference or metadata. Null and false are without; those of API campaigns are
-- always looked for.
alter table campaigns add column has_references boolean;
