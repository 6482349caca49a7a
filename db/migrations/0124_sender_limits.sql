-- Limits, quality and health of the account's number as Meta reported them at limits_read_at. Null is unknown.
alter table senders add column portfolio_id text;
-- People with whom the portfolio may start conversations in 24 hours; -1 is no limit.
alter table senders add column messaging_limit integer;
-- Words of Meta in upper case, also ones that the product does not know.
alter table senders add column quality text;
alter table senders add column health_status text;
-- Meta's advice about the health status.
alter table senders add column health_advice text;
alter table senders add column name_status text;
alter table senders add column verification_status text;
alter table senders add column throughput_level text;
-- True when the number is used in the WhatsApp Business app as well.
alter table senders add column is_on_phone_app boolean;
alter table senders add column limits_read_at timestamptz;
alter table senders add column marketing_onboarding text;
