-- Marketing templates go over WhatsApp's marketing route once the account has joined it.

-- The route of an account's marketing messages: automatic (also null), or messages for the ordinary route alone.
alter table sending_rules add column marketing_route text;
-- True when the account lets WhatsApp use what recipients do with marketing messages.
alter table sending_rules add column shares_activity boolean;

-- The endpoint that a template's messages take after WhatsApp has refused them on the other one. The name `*` stands for all
-- templates of the account. A row counts until its time, while category and onboarding state are those of the refusal.
create table template_routes (
	account_id bigint not null,
	name text not null,
	language text not null,
	endpoint text not null,
	-- WhatsApp's code of the refusal.
	code integer not null,
	category text not null,
	onboarding text,
	until timestamptz not null,
	constraint template_routes_key primary key (account_id, name, language),
	constraint template_routes_endpoint check (endpoint in ('messages', 'marketing_messages'))
);

-- The endpoint that has refused a message which is sent again on the other one; null for any other message.
alter table unsettled_messages add column refused_by text;

-- Number of a campaign's messages that WhatsApp accepted on each endpoint. Null
-- before the first one; only marketing templates are counted.
alter table campaigns add column marketing_route_count integer;
alter table campaigns add column ordinary_route_count integer;

-- Seconds after which WhatsApp stops trying to deliver a message of the template; null for WhatsApp's default.
alter table templates add column ttl_seconds integer;
