-- Payments by which users add money online, with the state that the provider reports.
create table payments (
	account_id bigint not null,
	id bigint not null generated always as identity,
	-- The payment's id at the provider's side that we choose: the account's id, a dash and a random part.
	reference text not null,
	-- Idempotency key of the form.
	request_id text not null,
	-- The user who began the payment.
	user_id bigint not null,
	-- Paise that the wallet gets. The payer pays them and the tax.
	credit_paise bigint not null,
	cgst_paise bigint not null default 0,
	sgst_paise bigint not null default 0,
	igst_paise bigint not null default 0,
	gst_percent numeric(4, 2) not null default 0,
	state text not null default 'created',
	-- Id and address of the provider's page; null until the provider's answer is known.
	provider_id text,
	provider_url text,
	-- The provider's id and method of the payment that was credited, or that has a fault.
	provider_payment_id text,
	method text,
	-- Path in the product to which the payer returns.
	back text,
	-- The message on which the wallet was credited: webhook, return or poll. Null while it is not credited.
	credited_by text,
	-- Paise of the total that went back to the payer: refunds and lost disputes.
	refunded_paise bigint not null default 0,
	-- The fault of a payment that an admin has to look at: another amount, another currency, or paid twice.
	fault text,
	created_at timestamptz not null default now(),
	expires_at timestamptz not null,
	paid_at timestamptz,
	-- Time at which the payment is read from the provider again, and the message that asked for it; null when never.
	check_at timestamptz,
	check_cause text not null default 'poll',
	constraint payments_key primary key (account_id, id),
	constraint payments_reference unique (account_id, reference),
	constraint payments_request unique (account_id, request_id),
	constraint payments_credit check (credit_paise > 0),
	constraint payments_tax check (cgst_paise >= 0 and sgst_paise >= 0 and igst_paise >= 0),
	constraint payments_refunded check (refunded_paise between 0 and credit_paise + cgst_paise + sgst_paise + igst_paise),
	constraint payments_state check (state in ('created', 'paid', 'expired', 'cancelled', 'refunded', 'disputed')),
	constraint payments_cause check (check_cause in ('webhook', 'return', 'poll')),
	constraint payments_credited check (credited_by in ('webhook', 'return', 'poll')),
	constraint payments_fault check (fault in ('amount', 'currency', 'paid-twice'))
);
create index payments_due on payments (check_at) where check_at is not null;
-- Refunds and disputes name the provider's payment only.
create index payments_provider_payment on payments (provider_payment_id) where provider_payment_id is not null;
-- Admins list all accounts' payments, newest first.
create index payments_id on payments (id);
create index payments_open on payments (created_at) where state = 'created';

-- Money of refunded payments that the wallet could not pay back. It is taken from the next money that comes in.
alter table wallets add column owed_paise bigint not null default 0;
alter table wallets add constraint wallets_owed check (owed_paise >= 0);

-- Not validated, which would read the whole ledger under a lock: the old constraint allowed fewer kinds.
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check
	check (kind in ('recharge', 'hold', 'capture', 'release', 'refund', 'reversal')) not valid;
