-- An account's prices for authentication messages, for replies, and for recipients in other markets than the home market, India.

-- Null is the utility price.
alter table prices add column authentication_paise integer;
alter table prices add constraint prices_authentication check (authentication_paise >= 0);
alter table prices add column service_paise integer not null default 0;
alter table prices add constraint prices_service check (service_paise >= 0);
-- same: the home price. card: WhatsApp's rate of the market and abroad_percent more. blocked: no recipients in other markets.
alter table prices add column abroad_rule text not null default 'same';
alter table prices add constraint prices_abroad_rule check (abroad_rule in ('same', 'card', 'blocked'));
alter table prices add column abroad_percent smallint not null default 0;
alter table prices add constraint prices_abroad_percent check (abroad_percent between 0 and 500);

-- Fixed prices of single markets and categories, which override the rule.
create table market_prices (
	account_id bigint not null,
	market text not null,
	category text not null,
	price_paise integer not null,
	constraint market_prices_pkey primary key (account_id, market, category),
	constraint market_prices_category check (category in ('marketing', 'utility', 'authentication', 'service')),
	constraint market_prices_price check (price_paise >= 0)
);
