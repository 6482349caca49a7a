-- How Meta bills the account's WABA: its currency, country and time zone, and whether a payment method is saved. Null is unknown.
alter table senders add column billing_currency text;
alter table senders add column billing_country text;
alter table senders add column billing_timezone_id text;
alter table senders add column has_payment_method boolean;
