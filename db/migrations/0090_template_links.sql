-- The targets of counted links. The token is the end of the example that Meta reviews, and does not hold the target.
create table template_links (
	account_id bigint not null,
	token text not null,
	-- Name and language of the template.
	name text not null,
	language text not null,
	target text not null,
	created_at timestamptz not null default now(),
	constraint template_links_key primary key (account_id, token)
);

-- Older examples hold their target: a byte 0x20, an https address and eight bytes of a signature, in base64url. The product checks
-- each target again when it reads it.
insert into template_links (account_id, token, name, language, target)
select account_id, token, min(name), min(language),
	min(replace(encode(substring(bytes from 2 for length(bytes) - 9), 'escape'), '\\', '\'))
from (
	select account_id, name, language, token,
		case when length(token) between 23 and 1000 and length(token) % 4 <> 1
			then decode(rpad(translate(token, '-_', '+/'), (length(token) + 3) / 4 * 4, '='), 'base64') end as bytes
	from (
		select t.account_id, t.name, t.language, substring(e.example #>> '{}' from '/l/(IGh0dHBzOi8v[A-Za-z0-9_-]+)$') as token
		from templates t
		cross join lateral jsonb_path_query(t.components, '$[*].buttons[*].example[*]') as e (example)
	) examples
) legacy
where bytes is not null
group by account_id, token;
