-- Changes of kinds that Meta documents and the product does nothing about.
alter table webhook_totals add column ignored_count bigint not null default 0;
