-- Clicks on buttons whose links are counted, one row for each. Nobody's number stands here: the message's row has it.

create table campaign_clicks (
	account_id bigint not null,
	campaign_id bigint not null,
	seq integer not null,
	-- Chosen by the web server that answered the click, so that writing it again changes nothing.
	click_id text not null,
	button smallint not null,
	-- The recipient's first one.
	is_first boolean not null,
	clicked_at timestamptz not null,
	constraint campaign_clicks_key primary key (account_id, campaign_id, seq, click_id)
) partition by range (campaign_id);

-- The partitions that campaigns have by now; campaigns/server/months makes those of later months.
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
			'create table %I partition of campaign_clicks %s with (fillfactor = 100)',
			replace(part.relname, 'campaign_replies', 'campaign_clicks'), part.bounds
		);
	end loop;
end
$$;

-- The recipients who clicked, and their clicks.
alter table campaigns add column clicked_count integer not null default 0;
alter table campaigns add column click_count integer not null default 0;

alter table campaign_minutes add column clicks integer not null default 0;
