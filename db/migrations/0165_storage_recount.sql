-- The time at which a file of the account was last written or deleted. The bytes are recounted when it lies an hour back.
alter table account_storage add column changed_at timestamptz;
