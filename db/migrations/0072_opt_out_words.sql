-- Words of its own that opt people out of an account's marketing, and the quick replies of its templates that do.
alter table chat_settings add column opt_out_words text[] not null default '{}';
alter table chat_settings add column opt_out_buttons jsonb not null default '[]';
