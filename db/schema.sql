-- What the migrations make together, to be read. Written from a migrated database by npm run schema; never run.

create type message_status as enum ('pending', 'sent', 'failed', 'delivered', 'read');

CREATE OR REPLACE FUNCTION public.guard_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
	if tg_op = 'DELETE' and old.created_at <= now() - interval '12 months'
		and current_setting('audit.retention', true) = 'on' then
		return old;
	end if;
	if tg_op = 'UPDATE' and current_setting('audit.erasure', true) = 'on'
		and (new.id, new.actor_id, new.action, new.subject_id, new.created_at)
			is not distinct from (old.id, old.actor_id, old.action, old.subject_id, old.created_at) then
		return new;
	end if;
	raise exception 'The audit trail is append-only: admin_actions takes neither UPDATE nor DELETE'
		using errcode = 'restrict_violation';
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_audit_truncate()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
	raise exception 'The audit trail is append-only: admin_actions does not take TRUNCATE'
		using errcode = 'restrict_violation';
end
$function$;

create table account_actions (
	account_id bigint not null,
	id bigint not null generated always as identity,
	actor_id bigint not null,
	actor_name text not null,
	action text not null,
	details text,
	created_at timestamp with time zone not null default now(),
	constraint account_actions_key PRIMARY KEY (account_id, id)
);
CREATE INDEX account_actions_at ON account_actions USING btree (account_id, created_at);

create table account_storage (
	account_id bigint not null,
	bytes bigint not null,
	changed_at timestamp with time zone,
	constraint account_storage_key PRIMARY KEY (account_id)
);

create table accounts (
	id bigint not null generated always as identity,
	created_at timestamp with time zone not null default now(),
	constraint accounts_pkey PRIMARY KEY (id)
);

create table admin_actions (
	id bigint not null generated always as identity,
	actor_id bigint not null,
	action text not null,
	subject_id bigint,
	details text,
	ip inet,
	created_at timestamp with time zone not null default now(),
	actor_name text not null,
	actor_email text not null,
	subject_name text,
	subject_email text,
	constraint admin_actions_pkey PRIMARY KEY (id),
	constraint admin_actions_admin_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id),
	constraint admin_actions_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES users(id)
);
CREATE INDEX admin_actions_subject ON admin_actions USING btree (subject_id, created_at);

create table api_key_days (
	account_id bigint not null,
	key_id bigint not null,
	day date not null,
	spent_paise bigint not null,
	constraint api_key_days_key PRIMARY KEY (account_id, key_id, day)
);

create table api_keys (
	id bigint not null generated always as identity,
	account_id bigint not null,
	name text not null,
	secret_hash bytea not null,
	scopes text[] not null,
	networks cidr[] not null,
	created_at timestamp with time zone not null default now(),
	expires_at timestamp with time zone,
	last_used_at timestamp with time zone,
	day_limit_paise bigint,
	is_test boolean not null default false,
	constraint api_keys_key PRIMARY KEY (id),
	constraint api_keys_account FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX api_keys_of_account ON api_keys USING btree (account_id);

create table api_requests (
	account_id bigint not null,
	key_hash bytea not null,
	request_hash bytea not null,
	answer jsonb,
	created_at timestamp with time zone not null,
	constraint api_requests_key PRIMARY KEY (account_id, key_hash)
);
CREATE INDEX api_requests_age ON api_requests USING btree (account_id, created_at);

create table automatic_replies (
	account_id bigint not null,
	id bigint not null generated always as identity,
	kind text not null,
	phrases text[] not null default '{}'::text[],
	text text not null,
	monthly_limit integer not null,
	month text not null default ''::text,
	sent integer not null default 0,
	created_at timestamp with time zone not null default now(),
	constraint automatic_replies_key PRIMARY KEY (account_id, id),
	constraint automatic_replies_kind CHECK ((kind = ANY (ARRAY['keyword'::text, 'away'::text, 'greeting'::text]))),
	constraint automatic_replies_limit CHECK ((((monthly_limit >= 1) AND (monthly_limit <= 100000)) AND (sent >= 0))),
	constraint automatic_replies_phrases CHECK (((kind = 'keyword'::text) = (cardinality(phrases) > 0))),
	constraint automatic_replies_text CHECK (((length(text) >= 1) AND (length(text) <= 4096)))
);
CREATE UNIQUE INDEX automatic_replies_single ON automatic_replies USING btree (account_id, kind) WHERE (kind <> 'keyword'::text);

create table automatic_reply_settings (
	account_id bigint not null,
	is_on boolean not null,
	hours jsonb,
	constraint automatic_reply_settings_key PRIMARY KEY (account_id)
);

create table campaign_blocks (
	account_id bigint not null,
	campaign_id bigint not null,
	block integer not null,
	pending integer not null default 0,
	sent integer not null default 0,
	delivered integer not null default 0,
	read integer not null default 0,
	failed integer not null default 0,
	constraint campaign_blocks_key PRIMARY KEY (account_id, campaign_id, block)
) partition by RANGE (campaign_id);

create table campaign_clicks (
	account_id bigint not null,
	campaign_id bigint not null,
	seq integer not null,
	click_id text not null,
	button smallint not null,
	is_first boolean not null,
	clicked_at timestamp with time zone not null,
	constraint campaign_clicks_key PRIMARY KEY (account_id, campaign_id, seq, click_id)
) partition by RANGE (campaign_id);

create table campaign_failures (
	account_id bigint not null,
	campaign_id bigint not null,
	error_code integer not null,
	error text not null,
	message_count integer not null,
	constraint campaign_failures_pkey PRIMARY KEY (account_id, campaign_id, error_code)
);

create table campaign_held_out (
	account_id bigint not null,
	campaign_id bigint not null,
	number text not null,
	constraint campaign_held_out_key PRIMARY KEY (account_id, campaign_id, number)
) partition by RANGE (campaign_id);
CREATE INDEX campaign_held_out_number ON ONLY public.campaign_held_out USING btree (account_id, number);

create table campaign_messages (
	account_id bigint not null,
	campaign_id bigint not null,
	seq integer not null,
	number text not null,
	status message_status not null default 'pending'::message_status,
	held_for_quality boolean not null default false,
	error_code integer,
	merge_values text[],
	wamid text,
	error text,
	sent_at timestamp with time zone,
	status_at timestamp with time zone,
	name text,
	arrived_at timestamp with time zone,
	origin_seq integer,
	price_paise integer,
	usage text,
	is_free boolean,
	listed_number text,
	constraint campaign_messages_pkey PRIMARY KEY (account_id, campaign_id, seq),
	constraint campaign_messages_price CHECK ((price_paise >= 0)) NOT VALID
) partition by RANGE (campaign_id);
CREATE INDEX campaign_messages_number ON ONLY public.campaign_messages USING btree (account_id, number);

create table campaign_minutes (
	account_id bigint not null,
	campaign_id bigint not null,
	minute timestamp with time zone not null,
	sent integer not null default 0,
	delivered integer not null default 0,
	read integer not null default 0,
	failed integer not null default 0,
	clicks integer not null default 0,
	constraint campaign_minutes_key PRIMARY KEY (account_id, campaign_id, minute)
) partition by RANGE (campaign_id);

create table campaign_replies (
	account_id bigint not null,
	campaign_id bigint not null,
	seq integer not null,
	is_counted boolean not null default false,
	replied_at timestamp with time zone,
	quoted_at timestamp with time zone default now(),
	constraint campaign_replies_key PRIMARY KEY (account_id, campaign_id, seq)
) partition by RANGE (campaign_id);
CREATE INDEX campaign_replies_uncounted ON ONLY public.campaign_replies USING btree (account_id) WHERE (NOT is_counted);

create table campaigns (
	account_id bigint not null,
	id bigint not null generated always as identity,
	name text not null,
	description text,
	status text not null,
	status_reason text,
	template jsonb not null,
	header_file text,
	variables jsonb not null default '{}'::jsonb,
	merge_tags text[] not null default '{}'::text[],
	audience_type text not null,
	audience_name text,
	price_paise integer not null,
	total_count integer not null default 0,
	pending_count integer not null default 0,
	sent_count integer not null default 0,
	delivered_count integer not null default 0,
	read_count integer not null default 0,
	failed_count integer not null default 0,
	waived_count integer not null default 0,
	claimed_through integer not null default 0,
	media_id text,
	media_uploaded_at timestamp with time zone,
	request_id text,
	opens_at timestamp with time zone not null default now(),
	started_at timestamp with time zone,
	finished_at timestamp with time zone,
	created_at timestamp with time zone not null default now(),
	updated_at timestamp with time zone not null default now(),
	paused_with_sender boolean,
	media_phone_number_id text,
	confirm_price_paise integer,
	confirm_category text,
	price_changed_at timestamp with time zone,
	replied_count integer not null default 0,
	group_id bigint,
	is_scheduled boolean not null default false,
	retry_of bigint,
	retry_held_back boolean not null default false,
	follow_up_at timestamp with time zone,
	follow_up_number smallint not null default 0,
	kind text not null default 'campaign'::text,
	messages_removed_at timestamp with time zone,
	messages_digest text,
	restored_at timestamp with time zone,
	segment_id bigint,
	clicked_count integer not null default 0,
	click_count integer not null default 0,
	capped_count integer not null default 0,
	hold_out_percent smallint,
	held_out jsonb,
	hold_out_due_at timestamp with time zone,
	quoted_count integer not null default 0,
	end_announced_at timestamp with time zone,
	has_references boolean,
	request_digest text,
	pending_extra_paise bigint not null default 0,
	charged_extra_paise bigint not null default 0,
	has_message_prices boolean,
	unpriced_count integer not null default 0,
	confirm_market_prices jsonb,
	recipient_order text,
	daily_start time without time zone,
	limit_waits_until timestamp with time zone,
	limit_looked_at timestamp with time zone,
	limit_waited_for integer,
	marketing_route_count integer,
	ordinary_route_count integer,
	passes_on_free boolean,
	passed_on_count integer,
	passed_on_paise bigint,
	card_files text[],
	card_media_ids text[],
	files_through integer,
	files_number text,
	created_by bigint,
	constraint campaigns_pkey PRIMARY KEY (account_id, id),
	constraint campaigns_account_id_request_id_key UNIQUE (account_id, request_id),
	constraint campaigns_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
	constraint campaigns_audience_type_check CHECK ((audience_type = ANY (ARRAY['all'::text, 'group'::text, 'file'::text, 'segment'::text]))),
	constraint campaigns_delivered_count_check CHECK ((delivered_count >= 0)),
	constraint campaigns_failed_count_check CHECK ((failed_count >= 0)),
	constraint campaigns_hold_out_percent_check CHECK (((hold_out_percent >= 1) AND (hold_out_percent <= 50))),
	constraint campaigns_kind CHECK ((kind = ANY (ARRAY['campaign'::text, 'test'::text, 'chat'::text, 'api'::text]))),
	constraint campaigns_pending_count_check CHECK ((pending_count >= 0)),
	constraint campaigns_price_paise_check CHECK ((price_paise >= 0)),
	constraint campaigns_read_count_check CHECK ((read_count >= 0)),
	constraint campaigns_sent_count_check CHECK ((sent_count >= 0)),
	constraint campaigns_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'pending'::text, 'processing'::text, 'paused'::text, 'completed'::text, 'cancelled'::text, 'failed'::text]))),
	constraint campaigns_waived_count_check CHECK ((waived_count >= 0))
) with (fillfactor=50);
CREATE INDEX campaigns_due ON campaigns USING btree (opens_at) WHERE (status = 'pending'::text);
CREATE INDEX campaigns_finished ON campaigns USING btree (account_id, finished_at);
CREATE INDEX campaigns_follow_up ON campaigns USING btree (follow_up_at) WHERE ((status = 'completed'::text) AND (follow_up_at IS NOT NULL));
CREATE INDEX campaigns_header_file ON campaigns USING btree (account_id, header_file) WHERE ((header_file IS NOT NULL) AND (messages_removed_at IS NULL));
CREATE INDEX campaigns_hold_out_due ON campaigns USING btree (hold_out_due_at) WHERE (hold_out_due_at IS NOT NULL);
CREATE INDEX campaigns_limit_waits ON campaigns USING btree (limit_waits_until) WHERE (limit_waits_until IS NOT NULL);
CREATE INDEX campaigns_listed ON campaigns USING btree (account_id, id) WHERE (kind <> 'chat'::text);
CREATE INDEX campaigns_open ON campaigns USING btree (account_id, id) WHERE (finished_at IS NULL);
CREATE INDEX campaigns_retries ON campaigns USING btree (account_id, retry_of) WHERE (retry_of IS NOT NULL);
CREATE INDEX campaigns_with_files ON campaigns USING btree (account_id) WHERE (files_through IS NOT NULL);

create table chat_marks (
	account_id bigint not null,
	target_wamid text not null,
	kind text not null,
	is_own boolean not null,
	chat text not null,
	value text not null,
	at timestamp with time zone not null,
	wamid text not null,
	constraint chat_marks_key PRIMARY KEY (account_id, target_wamid, kind, is_own)
);
CREATE INDEX chat_marks_at ON chat_marks USING btree (account_id, at);
CREATE INDEX chat_marks_chat ON chat_marks USING btree (account_id, chat);

create table chat_messages (
	account_id bigint not null,
	id bigint not null generated always as identity,
	chat text not null,
	direction text not null,
	kind text not null,
	body jsonb not null default '{}'::jsonb,
	wamid text,
	status message_status,
	status_at timestamp with time zone,
	sent_at timestamp with time zone,
	error_code integer,
	error text,
	at timestamp with time zone not null,
	reply_wamid text,
	reply_campaign_id bigint,
	reply_text text,
	media_id text,
	media_type text,
	media_name text,
	media_key text,
	media_state text,
	request_id text,
	claimed_at timestamp with time zone,
	link_until timestamp with time zone,
	campaign_id bigint,
	usage text,
	arrived_at timestamp with time zone,
	origin text,
	author_id bigint,
	constraint chat_messages_key PRIMARY KEY (account_id, id),
	constraint chat_messages_request UNIQUE (account_id, request_id),
	constraint chat_messages_wamid UNIQUE (account_id, wamid),
	constraint chat_messages_direction CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text]))),
	constraint chat_messages_media_state CHECK ((media_state = ANY (ARRAY['ready'::text, 'fetching'::text, 'unavailable'::text]))),
	constraint chat_messages_status CHECK (((status IS NULL) = (campaign_id IS NOT NULL)))
) with (autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX chat_messages_campaign ON chat_messages USING btree (account_id, campaign_id) WHERE (campaign_id IS NOT NULL);
CREATE INDEX chat_messages_media ON chat_messages USING btree (account_id, media_key) WHERE (media_key IS NOT NULL);
CREATE INDEX chat_messages_newest ON chat_messages USING btree (account_id, chat, at, id);
CREATE INDEX chat_messages_pending ON chat_messages USING btree (at, account_id) WHERE (status = 'pending'::message_status);
CREATE INDEX chat_messages_unlinked ON chat_messages USING btree (account_id) WHERE (link_until IS NOT NULL);

create table chat_settings (
	account_id bigint not null,
	confirms_opt_out boolean not null default false,
	opt_out_text text not null,
	opt_in_text text not null,
	opt_out_words text[] not null default '{}'::text[],
	opt_out_buttons jsonb not null default '[]'::jsonb,
	app_history_since timestamp with time zone,
	app_contacts_since timestamp with time zone,
	constraint chat_settings_key PRIMARY KEY (account_id)
);

create table chats (
	account_id bigint not null,
	key text not null,
	profile_name text,
	last_line text not null default ''::text,
	last_at timestamp with time zone not null,
	unread integer not null default 0,
	window_expires_at timestamp with time zone,
	inbound_wamid text,
	inbound_at timestamp with time zone,
	receipt_wamid text,
	user_id text,
	assigned_to bigint,
	closed_at timestamp with time zone,
	constraint chats_key PRIMARY KEY (account_id, key)
);
CREATE INDEX chats_closed ON chats USING btree (account_id, last_at, key) WHERE (closed_at IS NOT NULL);
CREATE INDEX chats_open ON chats USING btree (account_id, COALESCE(assigned_to, (0)::bigint), last_at, key) WHERE (closed_at IS NULL);
CREATE INDEX chats_recent ON chats USING btree (account_id, last_at, key);
CREATE INDEX chats_unread ON chats USING btree (account_id) WHERE (unread > 0);
CREATE INDEX chats_user_id ON chats USING btree (account_id, user_id) WHERE (user_id IS NOT NULL);

create table consents (
	account_id bigint not null,
	id bigint not null generated always as identity,
	source text not null,
	words text not null,
	agreed_on date not null,
	constraint consents_key PRIMARY KEY (account_id, id)
);
CREATE INDEX consents_day ON consents USING btree (account_id, agreed_on);

create table contact_counts (
	account_id bigint not null,
	group_id bigint not null,
	contacts bigint not null,
	constraint contact_counts_pkey PRIMARY KEY (account_id, group_id),
	constraint contact_counts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
) with (fillfactor=50);

create table contact_fields (
	account_id bigint not null,
	id bigint not null generated always as identity,
	name text not null,
	type text not null,
	slot smallint not null,
	deleted_at timestamp with time zone,
	created_at timestamp with time zone not null default now(),
	constraint contact_fields_key PRIMARY KEY (account_id, id),
	constraint contact_fields_type_check CHECK ((type = ANY (ARRAY['text'::text, 'number'::text, 'date'::text, 'yesno'::text])))
);
CREATE UNIQUE INDEX contact_fields_name ON contact_fields USING btree (account_id, lower(name)) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX contact_fields_slot ON contact_fields USING btree (account_id, ((type = 'text'::text)), slot);

create table contact_groups (
	account_id bigint not null,
	id bigint not null generated always as identity,
	name text not null,
	type text not null default 'national'::text,
	description text,
	created_at timestamp with time zone not null default now(),
	deleted_at timestamp with time zone,
	constraint contact_groups_pkey PRIMARY KEY (account_id, id),
	constraint contact_groups_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
	constraint contact_groups_type_check CHECK ((type = ANY (ARRAY['national'::text, 'international'::text])))
);

create table contact_tags (
	account_id bigint not null,
	id bigint not null generated always as identity,
	name text not null,
	created_at timestamp with time zone not null default now(),
	constraint contact_tags_key PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX contact_tags_name ON contact_tags USING btree (account_id, lower(name));

create table contact_values (
	account_id bigint not null,
	contact_id bigint not null,
	tags bigint[] not null default '{}'::bigint[],
	texts text[] not null default '{}'::text[],
	numbers double precision[] not null default '{}'::double precision[],
	constraint contact_values_key PRIMARY KEY (account_id, contact_id)
);
CREATE INDEX contact_values_tags ON contact_values USING gin (account_id, tags);

create table contacts (
	account_id bigint not null,
	id bigint not null generated always as identity,
	first_name text not null,
	last_name text,
	number text not null,
	group_id bigint,
	opted_out_at timestamp with time zone,
	opted_out_because text,
	created_at timestamp with time zone not null default now(),
	search_text text not null,
	consent_id bigint,
	constraint contacts_pkey PRIMARY KEY (account_id, id),
	constraint contacts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
	constraint contacts_account_id_group_id_fkey FOREIGN KEY (account_id, group_id) REFERENCES contact_groups(account_id, id)
);
CREATE UNIQUE INDEX contacts_account_id_number_key ON contacts USING btree (account_id, number) INCLUDE (id, group_id, created_at, opted_out_at);
CREATE INDEX contacts_consent ON contacts USING btree (account_id, consent_id) WHERE (consent_id IS NOT NULL);
CREATE INDEX contacts_group ON contacts USING btree (account_id, group_id, id);
CREATE INDEX contacts_name ON contacts USING btree (account_id, lower(((first_name || ' '::text) || COALESCE(last_name, ''::text))) COLLATE "C", id);
CREATE INDEX contacts_search ON contacts USING gin (account_id, search_text gin_trgm_ops);

create table customer_notes (
	account_id bigint not null,
	id bigint not null generated always as identity,
	customer text not null,
	text text not null,
	created_at timestamp with time zone not null default now(),
	written_by bigint,
	constraint customer_notes_key PRIMARY KEY (account_id, id),
	constraint customer_notes_text CHECK (((length(text) >= 1) AND (length(text) <= 1000)))
);
CREATE INDEX customer_notes_customer ON customer_notes USING btree (account_id, customer, id);

create table daily_totals (
	account_id bigint not null,
	day date not null,
	sent integer not null default 0,
	delivered integer not null default 0,
	read integer not null default 0,
	failed integer not null default 0,
	spent_paise bigint not null default 0,
	refunded_count integer not null default 0,
	refunded_paise bigint not null default 0,
	constraint daily_totals_pkey PRIMARY KEY (account_id, day),
	constraint daily_totals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX daily_totals_day ON daily_totals USING btree (day);

create table email_changes (
	token_hash bytea not null,
	user_id bigint not null,
	new_email text not null,
	created_at timestamp with time zone not null default now(),
	outcome text,
	constraint email_changes_key PRIMARY KEY (token_hash),
	constraint email_changes_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX email_changes_user ON email_changes USING btree (user_id);

create table epochs (
	epoch text not null,
	opened_at timestamp with time zone not null default now(),
	is_restored boolean not null default false,
	last_campaign_id bigint,
	last_chat_message_id bigint,
	constraint epochs_key PRIMARY KEY (epoch)
);

create table erasure_keys (
	account_id bigint not null,
	key_sealed bytea not null,
	erased_at timestamp with time zone,
	constraint erasure_keys_key PRIMARY KEY (account_id)
);

create table event_deliveries (
	account_id bigint not null,
	id bigint not null generated always as identity,
	address_id bigint not null,
	body text not null,
	event_count smallint not null,
	created_at timestamp with time zone not null default now(),
	due_at timestamp with time zone,
	attempts integer not null default 0,
	attempted_at timestamp with time zone,
	is_delivered boolean not null default false,
	answer_status smallint,
	error text,
	duration_ms integer,
	constraint event_deliveries_key PRIMARY KEY (account_id, id)
);
CREATE INDEX event_deliveries_due ON event_deliveries USING btree (account_id, address_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX event_deliveries_of_address ON event_deliveries USING btree (account_id, address_id, id);

create table former_ids (
	account_id bigint not null,
	id text not null,
	now_id text not null,
	changed_at timestamp with time zone not null,
	constraint former_ids_key PRIMARY KEY (account_id, id)
);
CREATE INDEX former_ids_now ON former_ids USING btree (account_id, now_id);

create table former_numbers (
	account_id bigint not null,
	phone_number_id text not null,
	constraint former_numbers_key PRIMARY KEY (account_id, phone_number_id)
);
CREATE INDEX former_numbers_number ON former_numbers USING btree (phone_number_id);

create table header_file_sets (
	account_id bigint not null,
	id bigint not null generated always as identity,
	kind text not null,
	created_at timestamp with time zone not null default now(),
	constraint header_file_sets_key PRIMARY KEY (account_id, id),
	constraint header_file_sets_kind CHECK ((kind = ANY (ARRAY['DOCUMENT'::text, 'IMAGE'::text, 'VIDEO'::text])))
);

create table header_files (
	account_id bigint not null,
	id bigint not null generated always as identity,
	set_id bigint not null,
	name text not null,
	name_key text not null,
	stem_key text not null,
	number text,
	file_key text not null,
	bytes integer not null,
	constraint header_files_key PRIMARY KEY (account_id, id),
	constraint header_files_name UNIQUE (account_id, set_id, name_key),
	constraint header_files_set FOREIGN KEY (account_id, set_id) REFERENCES header_file_sets(account_id, id) ON DELETE CASCADE
);
CREATE INDEX header_files_content ON header_files USING btree (account_id, file_key);
CREATE INDEX header_files_number ON header_files USING btree (account_id, number);

create table header_media (
	account_id bigint not null,
	phone_number_id text not null,
	file_key text not null,
	media_id text not null,
	uploaded_at timestamp with time zone not null default now(),
	constraint header_media_key PRIMARY KEY (account_id, phone_number_id, file_key)
);

create table installation (
	is_only_row boolean not null default true,
	kind text not null,
	created_at timestamp with time zone not null default now(),
	key_check bytea,
	constraint installation_key PRIMARY KEY (is_only_row),
	constraint installation_is_only_row CHECK (is_only_row),
	constraint installation_kind CHECK ((kind = ANY (ARRAY['demo'::text, 'production'::text])))
);

create table jobs (
	id bigint not null generated always as identity,
	kind text not null,
	owner_id bigint,
	data jsonb not null,
	due_at timestamp with time zone not null default now(),
	attempts integer not null default 0,
	claimed_by text,
	constraint jobs_key PRIMARY KEY (id)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, vacuum_truncate=off);
CREATE INDEX jobs_due ON jobs USING btree (kind, due_at, id);
CREATE UNIQUE INDEX jobs_of_webhooks ON jobs USING btree (data) WHERE (kind = 'webhook'::text);

create table ledger_entries (
	account_id bigint not null,
	id bigint not null generated always as identity,
	kind text not null,
	reference text not null,
	available_change_paise bigint not null,
	held_change_paise bigint not null,
	available_after_paise bigint not null,
	held_after_paise bigint not null,
	campaign_id bigint,
	message_count integer,
	notes text,
	admin_id bigint,
	created_at timestamp with time zone not null default now(),
	constraint ledger_entries_pkey PRIMARY KEY (account_id, id),
	constraint ledger_entries_account_id_reference_key UNIQUE (account_id, reference),
	constraint ledger_entries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
	constraint ledger_entries_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES users(id),
	constraint ledger_entries_kind_check CHECK ((kind = ANY (ARRAY['recharge'::text, 'hold'::text, 'capture'::text, 'release'::text, 'refund'::text, 'reversal'::text]))) NOT VALID
) with (autovacuum_vacuum_insert_scale_factor=0.05);
CREATE INDEX ledger_entries_of_payments ON ledger_entries USING btree (account_id) WHERE ((kind = 'reversal'::text) OR ((kind = 'recharge'::text) AND (reference ~~ 'payment:%'::text)));

create table market_prices (
	account_id bigint not null,
	market text not null,
	category text not null,
	price_paise integer not null,
	constraint market_prices_pkey PRIMARY KEY (account_id, market, category),
	constraint market_prices_category CHECK ((category = ANY (ARRAY['marketing'::text, 'utility'::text, 'authentication'::text, 'service'::text]))),
	constraint market_prices_price CHECK ((price_paise >= 0))
);

create table message_claims (
	account_id bigint not null,
	lease_epoch bigint not null,
	batch integer not null,
	campaign_id bigint not null,
	worker text not null,
	seqs integer[] not null,
	claimed_at timestamp with time zone not null default now(),
	retried jsonb,
	constraint message_claims_key PRIMARY KEY (account_id, lease_epoch, batch)
) with (autovacuum_vacuum_scale_factor=0.02, vacuum_truncate=off);

create table message_references (
	account_id bigint not null,
	campaign_id bigint not null,
	seq integer not null,
	reference text,
	metadata json,
	constraint message_references_key PRIMARY KEY (account_id, campaign_id, seq)
) partition by RANGE (campaign_id);
CREATE INDEX message_references_reference ON ONLY public.message_references USING btree (account_id, reference);

create table meta_rate_cards (
	id bigint not null generated always as identity,
	currency text not null,
	effective_from date not null,
	file_name text,
	uploaded_by bigint,
	created_at timestamp with time zone not null default now(),
	constraint meta_rate_cards_key PRIMARY KEY (id),
	constraint meta_rate_cards_user FOREIGN KEY (uploaded_by) REFERENCES users(id),
	constraint meta_rate_cards_currency CHECK ((currency ~ '^[A-Z]{3}$'::text))
);
CREATE INDEX meta_rate_cards_days ON meta_rate_cards USING btree (currency, effective_from);
CREATE UNIQUE INDEX meta_rate_cards_uploaded ON meta_rate_cards USING btree (currency, effective_from) WHERE (file_name IS NOT NULL);

create table meta_rates (
	card_id bigint not null,
	market text not null,
	category text not null,
	rate_micros bigint not null,
	is_computed boolean not null default false,
	constraint meta_rates_key PRIMARY KEY (card_id, market, category),
	constraint meta_rates_card FOREIGN KEY (card_id) REFERENCES meta_rate_cards(id),
	constraint meta_rates_positive CHECK ((rate_micros > 0))
);

create table money_audits (
	id bigint not null generated always as identity,
	findings jsonb not null,
	finding_count integer not null,
	milliseconds integer not null,
	finished_at timestamp with time zone not null default now(),
	constraint money_audits_pkey PRIMARY KEY (id)
);

create table notifications (
	account_id bigint not null,
	id bigint not null generated always as identity,
	text text not null,
	link text,
	read_at timestamp with time zone,
	created_at timestamp with time zone not null default now(),
	constraint notifications_pkey PRIMARY KEY (account_id, id),
	constraint notifications_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table opt_out_changes (
	account_id bigint not null,
	id bigint not null generated always as identity,
	number text not null,
	is_opted_out boolean not null,
	because text not null,
	changed_at timestamp with time zone not null default now(),
	constraint opt_out_changes_key PRIMARY KEY (account_id, id)
);
CREATE INDEX opt_out_changes_number ON opt_out_changes USING btree (account_id, number, id);

create table opt_outs (
	account_id bigint not null,
	number text not null,
	is_opted_out boolean not null,
	because text not null,
	changed_at timestamp with time zone not null,
	said_at timestamp with time zone not null,
	constraint opt_outs_key PRIMARY KEY (account_id, number)
);
CREATE INDEX opt_outs_recent ON opt_outs USING btree (account_id, changed_at, number) WHERE is_opted_out;

create table password_resets (
	token_hash bytea not null,
	user_id bigint not null,
	created_at timestamp with time zone not null default now(),
	expires_at timestamp with time zone not null,
	constraint password_resets_pkey PRIMARY KEY (token_hash),
	constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX password_resets_user ON password_resets USING btree (user_id);

create table payments (
	account_id bigint not null,
	id bigint not null generated always as identity,
	reference text not null,
	request_id text not null,
	user_id bigint not null,
	credit_paise bigint not null,
	cgst_paise bigint not null default 0,
	sgst_paise bigint not null default 0,
	igst_paise bigint not null default 0,
	gst_percent numeric(4,2) not null default 0,
	state text not null default 'created'::text,
	provider_id text,
	provider_url text,
	provider_payment_id text,
	method text,
	back text,
	credited_by text,
	refunded_paise bigint not null default 0,
	fault text,
	created_at timestamp with time zone not null default now(),
	expires_at timestamp with time zone not null,
	paid_at timestamp with time zone,
	check_at timestamp with time zone,
	check_cause text not null default 'poll'::text,
	place_of_supply text,
	constraint payments_key PRIMARY KEY (account_id, id),
	constraint payments_reference UNIQUE (account_id, reference),
	constraint payments_request UNIQUE (account_id, request_id),
	constraint payments_cause CHECK ((check_cause = ANY (ARRAY['webhook'::text, 'return'::text, 'poll'::text]))),
	constraint payments_credit CHECK ((credit_paise > 0)),
	constraint payments_credited CHECK ((credited_by = ANY (ARRAY['webhook'::text, 'return'::text, 'poll'::text]))),
	constraint payments_fault CHECK ((fault = ANY (ARRAY['amount'::text, 'currency'::text, 'paid-twice'::text]))),
	constraint payments_refunded CHECK (((refunded_paise >= 0) AND (refunded_paise <= (((credit_paise + cgst_paise) + sgst_paise) + igst_paise)))),
	constraint payments_state CHECK ((state = ANY (ARRAY['created'::text, 'paid'::text, 'expired'::text, 'cancelled'::text, 'refunded'::text, 'disputed'::text]))),
	constraint payments_tax CHECK (((cgst_paise >= 0) AND (sgst_paise >= 0) AND (igst_paise >= 0)))
);
CREATE INDEX payments_due ON payments USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX payments_fault ON payments USING btree (id) WHERE (fault IS NOT NULL);
CREATE INDEX payments_id ON payments USING btree (id);
CREATE INDEX payments_open ON payments USING btree (created_at) WHERE (state = 'created'::text);
CREATE INDEX payments_paid ON payments USING btree (paid_at) WHERE (paid_at IS NOT NULL);
CREATE INDEX payments_provider_payment ON payments USING btree (provider_payment_id) WHERE (provider_payment_id IS NOT NULL);

create table portfolio_messages (
	account_id bigint not null,
	campaign_id bigint not null,
	seq integer not null,
	portfolio text not null,
	person bigint not null,
	counted_at timestamp with time zone not null,
	constraint portfolio_messages_key PRIMARY KEY (account_id, campaign_id, seq)
);
CREATE INDEX portfolio_messages_counted ON portfolio_messages USING btree (portfolio, counted_at);
CREATE INDEX portfolio_messages_person ON portfolio_messages USING btree (portfolio, person);

create table portfolios (
	portfolio text not null,
	people integer not null default 0,
	moved_to text,
	constraint portfolios_key PRIMARY KEY (portfolio),
	constraint portfolios_people CHECK ((people >= 0))
);

create table prices (
	account_id bigint not null,
	marketing_paise integer not null,
	utility_paise integer not null,
	authentication_paise integer,
	service_paise integer not null default 0,
	abroad_rule text not null default 'same'::text,
	abroad_percent smallint not null default 0,
	passes_on_free boolean not null default false,
	constraint prices_pkey PRIMARY KEY (account_id),
	constraint prices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
	constraint prices_abroad_percent CHECK (((abroad_percent >= 0) AND (abroad_percent <= 500))),
	constraint prices_abroad_rule CHECK ((abroad_rule = ANY (ARRAY['same'::text, 'card'::text, 'blocked'::text]))),
	constraint prices_authentication CHECK ((authentication_paise >= 0)),
	constraint prices_marketing_paise_check CHECK ((marketing_paise >= 0)),
	constraint prices_service CHECK ((service_paise >= 0)),
	constraint prices_utility_paise_check CHECK ((utility_paise >= 0))
);

create table privacy_requests (
	account_id bigint not null,
	id bigint not null generated always as identity,
	kind text not null,
	number_hash text not null,
	user_id bigint not null,
	counts jsonb not null,
	requested_at timestamp with time zone not null default now(),
	constraint privacy_requests_key PRIMARY KEY (account_id, id),
	constraint privacy_requests_kind CHECK ((kind = ANY (ARRAY['download'::text, 'erasure'::text])))
);

create table push_devices (
	account_id bigint not null,
	id bigint not null generated always as identity,
	token_hash bytea not null,
	endpoint text not null,
	p256dh text not null,
	auth text not null,
	with_texts boolean not null,
	is_pending boolean not null default false,
	created_at timestamp with time zone not null default now(),
	constraint push_devices_key PRIMARY KEY (account_id, id),
	constraint push_devices_session UNIQUE (account_id, token_hash)
);

create table receipt_counters (
	series text not null,
	last_number bigint not null,
	constraint receipt_counters_pkey PRIMARY KEY (series)
);

create table receipts (
	account_id bigint not null,
	entry_id bigint not null,
	number bigint not null,
	payer_name text not null,
	payer_email text not null,
	admin_name text,
	issuer_name text,
	issuer_address text,
	issuer_gstin text,
	payer_business_name text,
	payer_business_address text,
	payer_gstin text,
	payment_method text,
	payment_id text,
	invoice_series text,
	invoice_number bigint,
	payer_state text,
	place_of_supply text,
	sac text,
	gst_percent numeric(4,2),
	cgst_paise bigint,
	sgst_paise bigint,
	igst_paise bigint,
	constraint receipts_pkey PRIMARY KEY (account_id, entry_id),
	constraint receipts_account_id_number_key UNIQUE (account_id, number),
	constraint receipts_account_id_entry_id_fkey FOREIGN KEY (account_id, entry_id) REFERENCES ledger_entries(account_id, id),
	constraint receipts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX receipts_entry ON receipts USING btree (entry_id);

create table recovery_codes (
	user_id bigint not null,
	code_hash bytea not null,
	constraint recovery_codes_key PRIMARY KEY (user_id, code_hash),
	constraint recovery_codes_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table refused_addresses (
	account_id bigint not null,
	set_id bigint not null,
	address_key text not null,
	reason text not null,
	constraint refused_addresses_key PRIMARY KEY (account_id, set_id, address_key),
	constraint refused_addresses_set FOREIGN KEY (account_id, set_id) REFERENCES header_file_sets(account_id, id) ON DELETE CASCADE
);

create table reply_charges (
	account_id bigint not null,
	message_id bigint not null,
	price_paise integer not null,
	state text not null default 'held'::text,
	status message_status not null default 'pending'::message_status,
	error_code integer,
	pricing_type text,
	is_due boolean not null default false,
	move_count smallint not null default 1,
	held_at timestamp with time zone not null default now(),
	constraint reply_charges_key PRIMARY KEY (account_id, message_id),
	constraint reply_charges_price CHECK ((price_paise > 0)),
	constraint reply_charges_state CHECK ((state = ANY (ARRAY['held'::text, 'charged'::text, 'returned'::text, 'waived'::text, 'expired'::text])))
);
CREATE INDEX reply_charges_due ON reply_charges USING btree (account_id) WHERE is_due;
CREATE INDEX reply_charges_held ON reply_charges USING btree (account_id, held_at) WHERE (state = 'held'::text);

create table reply_checks (
	account_id bigint not null,
	id bigint not null generated always as identity,
	chat text not null,
	since timestamp with time zone not null,
	due_at timestamp with time zone not null default now(),
	is_last_look boolean not null default false,
	constraint reply_checks_key PRIMARY KEY (account_id, id)
);
CREATE INDEX reply_checks_due ON reply_checks USING btree (account_id, due_at);

create table saved_replies (
	account_id bigint not null,
	id bigint not null generated always as identity,
	shortcut text not null,
	text text not null,
	file_key text,
	file_type text,
	file_name text,
	file_bytes integer,
	created_at timestamp with time zone not null default now(),
	constraint saved_replies_key PRIMARY KEY (account_id, id),
	constraint saved_replies_shortcut UNIQUE (account_id, shortcut),
	constraint saved_replies_content CHECK (((text <> ''::text) OR (file_key IS NOT NULL))),
	constraint saved_replies_file CHECK ((num_nulls(file_key, file_type, file_name, file_bytes) = ANY (ARRAY[0, 4]))),
	constraint saved_replies_lengths CHECK ((((length(shortcut) >= 1) AND (length(shortcut) <= 30)) AND (length(text) <= 4096)))
);

create table schema_migrations (
	file text not null,
	applied_at timestamp with time zone not null default now(),
	constraint schema_migrations_pkey PRIMARY KEY (file)
);

create table second_factors (
	user_id bigint not null,
	secret bytea not null,
	confirmed_at timestamp with time zone,
	last_step bigint not null default 0,
	constraint second_factors_key PRIMARY KEY (user_id),
	constraint second_factors_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table segments (
	account_id bigint not null,
	id bigint not null generated always as identity,
	name text not null,
	match text not null,
	rules jsonb not null,
	created_at timestamp with time zone not null default now(),
	constraint segments_key PRIMARY KEY (account_id, id),
	constraint segments_match_check CHECK ((match = ANY (ARRAY['all'::text, 'any'::text])))
);
CREATE UNIQUE INDEX segments_name ON segments USING btree (account_id, lower(name));

create table senders (
	account_id bigint not null,
	phone_number_id text not null,
	waba_id text not null,
	access_token_sealed bytea not null,
	app_id text,
	app_secret_sealed bytea,
	webhook_key text not null,
	verify_token text not null,
	verified_name text,
	business_name text,
	display_phone_number text,
	profile_picture_url text,
	messages_per_second integer not null default 80,
	stopped_reason text,
	stopped_at timestamp with time zone,
	checked_at timestamp with time zone,
	updated_at timestamp with time zone not null default now(),
	lease_worker text,
	lease_epoch bigint not null default 0,
	waiting_reason text,
	reported_through timestamp with time zone,
	silence_notified_at timestamp with time zone,
	number_read_at timestamp with time zone,
	stopped_reason_for_admin text,
	waiting_cause text,
	billing_currency text,
	billing_country text,
	billing_timezone_id text,
	has_payment_method boolean,
	portfolio_id text,
	messaging_limit integer,
	quality text,
	health_status text,
	health_advice text,
	name_status text,
	verification_status text,
	throughput_level text,
	is_on_phone_app boolean,
	limits_read_at timestamp with time zone,
	marketing_onboarding text,
	marketing_onboarded_at timestamp with time zone,
	constraint senders_pkey PRIMARY KEY (account_id),
	constraint senders_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX senders_phone_number ON senders USING btree (phone_number_id);
CREATE INDEX senders_portfolio ON senders USING btree (portfolio_id) WHERE (portfolio_id IS NOT NULL);
CREATE INDEX senders_waba ON senders USING btree (waba_id);

create table sending_rules (
	account_id bigint not null,
	max_messages smallint,
	in_days smallint,
	quiet_from time without time zone,
	quiet_until time without time zone,
	marketing_route text,
	shares_activity boolean,
	constraint sending_rules_pkey PRIMARY KEY (account_id)
);

create table sessions (
	token_hash bytea not null,
	user_id bigint not null,
	created_at timestamp with time zone not null default now(),
	expires_at timestamp with time zone not null,
	last_seen_at timestamp with time zone not null default now(),
	user_agent text not null default ''::text,
	ip inet,
	constraint sessions_pkey PRIMARY KEY (token_hash),
	constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_user ON sessions USING btree (user_id);

create table sign_ins (
	account_id bigint not null,
	id bigint not null generated always as identity,
	signed_in_at timestamp with time zone not null default now(),
	outcome text not null,
	user_agent text not null,
	ip inet,
	constraint sign_ins_key PRIMARY KEY (account_id, id)
);
CREATE INDEX sign_ins_recent ON sign_ins USING btree (account_id, signed_in_at);

create table statement_lines (
	account_id bigint not null,
	id bigint not null,
	part bigint not null,
	kind text not null,
	campaign_id bigint not null,
	day date not null,
	available_change_paise bigint not null,
	held_change_paise bigint not null,
	available_after_paise bigint not null,
	held_after_paise bigint not null,
	message_count integer,
	last_at timestamp with time zone not null default now(),
	constraint statement_lines_pkey PRIMARY KEY (account_id, id),
	constraint statement_lines_account_id_part_kind_campaign_id_day_key UNIQUE (account_id, part, kind, campaign_id, day),
	constraint statement_lines_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX statement_lines_day ON statement_lines USING btree (day);
CREATE INDEX statement_lines_of_campaign ON statement_lines USING btree (account_id, campaign_id, id);
CREATE INDEX statement_lines_of_day ON statement_lines USING btree (account_id, day, id);

create table tax_notes (
	account_id bigint not null,
	id bigint not null generated always as identity,
	reversal text not null,
	entry_id bigint not null,
	kind text not null,
	reason text not null,
	series text not null,
	number bigint not null,
	taxable_paise bigint not null,
	cgst_paise bigint not null,
	sgst_paise bigint not null,
	igst_paise bigint not null,
	rounding_paise bigint not null,
	created_at timestamp with time zone not null default now(),
	constraint tax_notes_key PRIMARY KEY (account_id, id),
	constraint tax_notes_reversal UNIQUE (account_id, reversal),
	constraint tax_notes_amounts CHECK (((taxable_paise >= 0) AND (cgst_paise >= 0) AND (sgst_paise >= 0) AND (igst_paise >= 0))),
	constraint tax_notes_kind CHECK ((kind = ANY (ARRAY['credit'::text, 'debit'::text])))
);
CREATE INDEX tax_notes_entry ON tax_notes USING btree (entry_id);

create table template_creations (
	account_id bigint not null,
	request_id text not null,
	started_at timestamp with time zone not null default now(),
	constraint template_creations_key PRIMARY KEY (account_id, request_id)
);

create table template_links (
	account_id bigint not null,
	token text not null,
	name text not null,
	language text not null,
	target text not null,
	created_at timestamp with time zone not null default now(),
	constraint template_links_key PRIMARY KEY (account_id, token)
);

create table template_routes (
	account_id bigint not null,
	name text not null,
	language text not null,
	endpoint text not null,
	code integer not null,
	category text not null,
	onboarding text,
	until timestamp with time zone not null,
	is_waiting boolean,
	constraint template_routes_key PRIMARY KEY (account_id, name, language),
	constraint template_routes_endpoint CHECK ((endpoint = ANY (ARRAY['messages'::text, 'marketing_messages'::text])))
);

create table template_syncs (
	account_id bigint not null,
	attempted_at timestamp with time zone,
	finished_at timestamp with time zone,
	constraint template_syncs_key PRIMARY KEY (account_id)
);

create table templates (
	account_id bigint not null,
	id bigint not null generated always as identity,
	template_id text not null,
	name text not null,
	language text not null,
	status text not null,
	category text not null,
	quality text,
	rejected_reason text,
	parameter_format text not null default 'POSITIONAL'::text,
	components jsonb not null,
	header_file text,
	synced_at timestamp with time zone not null default now(),
	created_at timestamp with time zone not null default now(),
	previous_category text,
	correct_category text,
	gone_at timestamp with time zone,
	request_id text,
	sample_tried_at timestamp with time zone,
	changed_at timestamp with time zone,
	ttl_seconds integer,
	card_files text[],
	constraint templates_pkey PRIMARY KEY (account_id, id),
	constraint templates_account_id_name_language_key UNIQUE (account_id, name, language),
	constraint templates_request UNIQUE (account_id, request_id),
	constraint templates_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table test_campaigns (
	account_id bigint not null,
	id bigint not null,
	state text not null,
	facts json not null,
	opens_at timestamp with time zone not null,
	begins_at timestamp with time zone not null,
	is_told boolean not null default false,
	created_at timestamp with time zone not null,
	constraint test_campaigns_key PRIMARY KEY (account_id, id),
	constraint test_campaigns_state CHECK ((state = ANY (ARRAY['draft'::text, 'pending'::text, 'paused'::text, 'cancelled'::text])))
);
CREATE INDEX test_campaigns_waiting ON test_campaigns USING btree (account_id, begins_at) WHERE ((NOT is_told) AND (state = 'pending'::text));

create table test_messages (
	account_id bigint not null,
	order_id bigint not null,
	seq integer not null,
	number text not null,
	template json not null,
	reference text,
	metadata json,
	created_at timestamp with time zone not null,
	told smallint not null default 0,
	steps smallint not null,
	name text,
	error_code integer,
	constraint test_messages_key PRIMARY KEY (account_id, order_id, seq)
);
CREATE INDEX test_messages_waiting ON test_messages USING btree (account_id, created_at) WHERE (told < steps);

create table uncounted_accounts (
	account_id bigint not null,
	portfolio text not null,
	campaign_id bigint not null default 0,
	seq integer not null default 0,
	constraint uncounted_accounts_key PRIMARY KEY (account_id)
);
CREATE INDEX uncounted_accounts_portfolio ON uncounted_accounts USING btree (portfolio);

create table unmatched_reports (
	account_id bigint not null,
	wamid text not null,
	status text not null,
	report jsonb not null,
	retry_at timestamp with time zone not null,
	received_at timestamp with time zone not null default now(),
	constraint unmatched_reports_key PRIMARY KEY (account_id, wamid, status)
) with (autovacuum_vacuum_scale_factor=0.02, vacuum_truncate=off);
CREATE INDEX unmatched_reports_due ON unmatched_reports USING btree (retry_at, account_id);

create table unsettled_messages (
	account_id bigint not null,
	campaign_id bigint not null,
	seq integer not null,
	attempts integer not null default 1,
	retry_at timestamp with time zone,
	unknown_since timestamp with time zone,
	refused_by text,
	constraint message_leftovers_pkey PRIMARY KEY (account_id, campaign_id, seq),
	constraint message_leftovers_check CHECK (((retry_at IS NULL) <> (unknown_since IS NULL)))
) with (autovacuum_vacuum_scale_factor=0.02, vacuum_truncate=off);
CREATE INDEX unsettled_messages_retry ON unsettled_messages USING btree (account_id, campaign_id, retry_at) WHERE (retry_at IS NOT NULL);
CREATE INDEX unsettled_messages_unknown ON unsettled_messages USING btree (unknown_since, account_id) WHERE (unknown_since IS NOT NULL);

create table usage_checks (
	account_id bigint not null,
	checked_at timestamp with time zone not null,
	is_readable boolean not null,
	days jsonb not null default '[]'::jsonb,
	constraint usage_checks_key PRIMARY KEY (account_id)
);

create table usage_days (
	account_id bigint not null,
	day date not null,
	market text not null,
	category text not null,
	type text not null,
	is_estimate boolean not null,
	messages integer not null default 0,
	constraint usage_days_key PRIMARY KEY (account_id, day, market, category, type, is_estimate)
);
CREATE INDEX usage_days_day ON usage_days USING btree (day);

create table users (
	id bigint not null generated always as identity,
	account_id bigint not null,
	name text not null,
	email text not null,
	role text not null,
	is_active boolean not null default true,
	password_hash text not null,
	created_at timestamp with time zone not null default now(),
	deleted_at timestamp with time zone,
	business_name text,
	business_address text,
	gstin text,
	proved_email text,
	email_unproved_until timestamp with time zone,
	password_from text not null default 'self'::text,
	erased_at timestamp with time zone,
	email_changed_at timestamp with time zone,
	links_stopped_at timestamp with time zone,
	links_stopped_reason text,
	business_state text,
	works_in bigint,
	constraint users_pkey PRIMARY KEY (id),
	constraint users_account_id_key UNIQUE (account_id),
	constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
	constraint users_works_in_fkey FOREIGN KEY (works_in) REFERENCES accounts(id),
	constraint users_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'user'::text, 'manager'::text, 'template-agent'::text, 'agent'::text]))),
	constraint users_works_in_check CHECK (((works_in IS NULL) = (role = ANY (ARRAY['admin'::text, 'user'::text]))))
);
CREATE INDEX users_account ON users USING btree (account_id);
CREATE UNIQUE INDEX users_email ON users USING btree (lower(email)) WHERE (deleted_at IS NULL);
CREATE INDEX users_proved_email ON users USING btree (lower(proved_email)) WHERE (proved_email IS NOT NULL);
CREATE INDEX users_works_in ON users USING btree (works_in) WHERE (works_in IS NOT NULL);

create table waiting_events (
	account_id bigint not null,
	address_id bigint not null,
	id bigint not null generated always as identity,
	events json not null,
	event_count smallint not null,
	constraint waiting_events_key PRIMARY KEY (account_id, address_id, id)
) with (autovacuum_vacuum_scale_factor=0.02);

create table waiting_refunds (
	account_id bigint not null,
	campaign_id bigint not null,
	price_paise integer not null,
	reason text not null,
	waiting_count integer not null default 0,
	approved_count integer not null default 0,
	refused_count integer not null default 0,
	decisions integer not null default 0,
	first_at timestamp with time zone not null default now(),
	last_at timestamp with time zone not null default now(),
	admins_notified_at timestamp with time zone,
	constraint waiting_refunds_key PRIMARY KEY (account_id, campaign_id, price_paise, reason),
	constraint waiting_refunds_account FOREIGN KEY (account_id) REFERENCES accounts(id),
	constraint waiting_refunds_approved CHECK ((approved_count >= 0)),
	constraint waiting_refunds_price CHECK ((price_paise > 0)),
	constraint waiting_refunds_reason CHECK ((reason = ANY (ARRAY['reported'::text, 'silence'::text, 'free'::text]))),
	constraint waiting_refunds_refused CHECK ((refused_count >= 0)),
	constraint waiting_refunds_waiting CHECK ((waiting_count >= 0))
);

create table wallets (
	account_id bigint not null,
	available_paise bigint not null default 0,
	held_paise bigint not null default 0,
	statement_part bigint not null default 0,
	low_balance_paise bigint not null default 10000,
	low_notified_at timestamp with time zone,
	statement_day date,
	statement_left_paise bigint,
	owed_paise bigint not null default 0,
	constraint wallets_pkey PRIMARY KEY (account_id),
	constraint wallets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
	constraint wallets_available_paise_check CHECK ((available_paise >= 0)),
	constraint wallets_held_paise_check CHECK ((held_paise >= 0)),
	constraint wallets_low_balance_paise_check CHECK ((low_balance_paise >= 0)),
	constraint wallets_owed CHECK ((owed_paise >= 0))
);
CREATE INDEX wallets_owing ON wallets USING btree (account_id) WHERE (owed_paise > 0);

create table webhook_addresses (
	account_id bigint not null,
	id bigint not null generated always as identity,
	url text not null,
	events text[] not null,
	secret bytea not null,
	failing_since timestamp with time zone,
	switched_off_at timestamp with time zone,
	is_full boolean not null default false,
	created_at timestamp with time zone not null default now(),
	renewed_at timestamp with time zone,
	constraint webhook_addresses_key PRIMARY KEY (account_id, id)
);

create table webhook_deliveries (
	account_id bigint not null,
	id bigint not null generated always as identity,
	body text not null,
	kept_because text,
	received_at timestamp with time zone not null default now(),
	constraint webhook_deliveries_pkey PRIMARY KEY (account_id, id),
	constraint webhook_deliveries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
) with (autovacuum_vacuum_scale_factor=0.02, vacuum_truncate=off);
CREATE INDEX webhook_deliveries_kept ON webhook_deliveries USING btree (account_id, id) WHERE (kept_because IS NOT NULL);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (account_id, id) WHERE (kept_because IS NULL);

create table webhook_totals (
	account_id bigint not null,
	processed_count bigint not null default 0,
	last_received_at timestamp with time zone not null,
	last_processed_at timestamp with time zone,
	dropped_count bigint not null default 0,
	ignored_count bigint not null default 0,
	constraint webhook_totals_key PRIMARY KEY (account_id)
);

create table whatsapp_ids (
	account_id bigint not null,
	number text not null,
	wa_id text not null,
	constraint whatsapp_ids_key PRIMARY KEY (account_id, number)
);
CREATE INDEX whatsapp_ids_id ON whatsapp_ids USING btree (account_id, wa_id);

create table workers (
	id text not null,
	started_at timestamp with time zone not null default now(),
	heartbeat_at timestamp with time zone not null default now(),
	constraint workers_key PRIMARY KEY (id)
);
