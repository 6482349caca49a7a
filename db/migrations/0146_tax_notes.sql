-- Credit notes of tax invoices whose payment was refunded or lost in a dispute, and debit notes of refunds that did not reach the payer.
create table tax_notes (
	account_id bigint not null,
	id bigint not null generated always as identity,
	-- Reference of the reversal. The ledger has an entry of it, unless the wallet was empty and all of it is owed.
	reversal text not null,
	-- Ledger entry of the recharge whose tax invoice the note changes.
	entry_id bigint not null,
	kind text not null,
	reason text not null,
	-- Financial year, such as 26-27, and the number, which has no gap within its kind and year.
	series text not null,
	number bigint not null,
	taxable_paise bigint not null,
	cgst_paise bigint not null,
	sgst_paise bigint not null,
	igst_paise bigint not null,
	-- Money that moved less value and taxes: both halves of a tax are equal, so that a paisa may be left.
	rounding_paise bigint not null,
	created_at timestamptz not null default now(),
	constraint tax_notes_key primary key (account_id, id),
	constraint tax_notes_reversal unique (account_id, reversal),
	constraint tax_notes_kind check (kind in ('credit', 'debit')),
	constraint tax_notes_amounts check (taxable_paise >= 0 and cgst_paise >= 0 and sgst_paise >= 0 and igst_paise >= 0)
);
create index tax_notes_entry on tax_notes (entry_id);
