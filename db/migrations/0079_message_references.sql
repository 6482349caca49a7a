-- What a program calls its messages, one row for each message that has a reference or metadata. Beside campaign_messages, as
-- most messages have neither.

create table message_references (
	account_id bigint not null,
	campaign_id bigint not null,
	seq integer not null,
	reference text,
	metadata json,
	constraint message_references_key primary key (account_id, campaign_id, seq)
) partition by range (campaign_id);

create index message_references_reference on message_references (account_id, reference);

-- The partitions that campaigns have by now; delivery/server/months makes those of later months.
do $$
declare
	part record;
begin
	for part in
		select c.relname, pg_get_expr(c.relpartbound, c.oid) as bounds
		from pg_inherits i
		join pg_class c on c.oid = i.inhrelid
		where i.inhparent = 'campaign_replies'::regclass
	loop
		execute format(
			'create table %I partition of message_references %s',
			replace(part.relname, 'campaign_replies', 'message_references'), part.bounds
		);
	end loop;
end
$$;
