-- GST code of the state of an account's business: that of its GSTIN, or as the account chose it.
alter table users add column business_state text;
update users set business_state = left(gstin, 2)
where gstin is not null and left(gstin, 2) ~ '^(0[1-9]|1[0-9]|2[0-4]|26|27|29|3[0-8]|97)$';

-- Receipts of online payments: method and id of the payment at the provider.
alter table receipts add column payment_method text;
alter table receipts add column payment_id text;
-- Tax invoices only. Series is a financial year, such as 26-27; the number has no gap within its series.
alter table receipts add column invoice_series text;
alter table receipts add column invoice_number bigint;
alter table receipts add column payer_state text;
alter table receipts add column place_of_supply text;
alter table receipts add column sac text;
alter table receipts add column gst_percent numeric(4, 2);
alter table receipts add column cgst_paise bigint;
alter table receipts add column sgst_paise bigint;
alter table receipts add column igst_paise bigint;

-- GST code of the state that decided the tax of a payment; null without tax, or when it is unknown.
alter table payments add column place_of_supply text;
