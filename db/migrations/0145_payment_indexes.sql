-- Counts of the payments of a day, by the message on which they were credited.
create index payments_paid on payments (paid_at) where paid_at is not null;
-- Payments that an admin has to look at.
create index payments_fault on payments (id) where fault is not null;
-- The accounts that owe money of refunded payments.
create index wallets_owing on wallets (account_id) where owed_paise > 0;
-- Entries of online payments, which the reconciliation compares with the payments.
create index ledger_entries_of_payments on ledger_entries (account_id)
	where kind = 'reversal' or kind = 'recharge' and reference like 'payment:%';
