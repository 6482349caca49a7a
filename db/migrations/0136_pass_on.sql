-- Option of an account's price list: template messages that WhatsApp does not charge are refunded.

alter table prices add column passes_on_free boolean not null default false;

-- The option at the time of the campaign's order; null stands for off.
alter table campaigns add column passes_on_free boolean;
-- Number of the campaign's messages that were refunded because WhatsApp does not charge them, with those whose refund waits,
-- and the sum of their prices. Null before the first one.
alter table campaigns add column passed_on_count integer;
alter table campaigns add column passed_on_paise bigint;

-- True when the first pricing of a message says that WhatsApp does not charge it: the message then has the price 0. False when
-- WhatsApp charges it. Null before that pricing, and in campaigns without the option.
alter table campaign_messages add column is_free boolean;

-- Refunds that wait because WhatsApp does not charge their messages.
alter table waiting_refunds drop constraint waiting_refunds_reason;
alter table waiting_refunds add constraint waiting_refunds_reason check (reason in ('reported', 'silence', 'free'));
