-- When the account was first known to have joined the marketing route. Null for one that joined before this release.
alter table senders add column marketing_onboarded_at timestamptz;

-- True while neither endpoint takes the template, since WhatsApp is preparing it: its messages wait until `until`.
alter table template_routes add column is_waiting boolean;

-- Messages of the claim that were tried before: by seq, the attempts made and the endpoint that refused the message.
alter table message_claims add column retried jsonb;

-- Categories are compared in upper case, as WhatsApp writes them.
update templates set category = upper(category) where category <> upper(category);
