-- What an account keeps has limits.

-- The bytes of an account's files. Counted when they are written, as listing a bucket takes seconds. Files of before this
-- table are not in it.
create table account_storage (
	account_id bigint not null constraint account_storage_key primary key,
	bytes bigint not null
);

-- The oldest beyond the limit are deleted.
create index webhook_deliveries_kept on webhook_deliveries (account_id, id) where kept_because is not null;
