-- The price of one message, where it is not the campaign's. Null is campaigns.price_paise, which all messages of before cost.
alter table campaign_messages add column price_paise integer;
alter table campaign_messages add constraint campaign_messages_price check (price_paise >= 0) not valid;

-- Sums over messages with a price of their own, of that price less the campaign's: over pending messages, and over those that
-- were charged.
alter table campaigns add column pending_extra_paise bigint not null default 0;
alter table campaigns add column charged_extra_paise bigint not null default 0;
-- True for a campaign some of whose messages have a price of their own.
alter table campaigns add column has_message_prices boolean;

-- Recipients who were left out since their market is blocked or has no price.
alter table campaigns add column unpriced_count integer not null default 0;

-- The prices of other markets that wait for the account's confirmation beside confirm_price_paise, in paise by the prefix of a
-- recipient's key. Null while all markets cost the same.
alter table campaigns add column confirm_market_prices jsonb;
