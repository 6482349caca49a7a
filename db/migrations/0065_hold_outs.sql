-- Who was kept out of a campaign, to compare: the numbers alone, as nothing is sent to them.

create table campaign_held_out (
	account_id bigint not null,
	campaign_id bigint not null,
	number text not null,
	constraint campaign_held_out_key primary key (account_id, campaign_id, number)
) partition by range (campaign_id);
create index campaign_held_out_number on campaign_held_out (account_id, number);

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
			'create table %I partition of campaign_held_out %s with (fillfactor = 100)',
			replace(part.relname, 'campaign_replies', 'campaign_held_out'), part.bounds
		);
	end loop;
end
$$;

alter table campaigns add column hold_out_percent smallint;
alter table campaigns add constraint campaigns_hold_out_percent_check check (hold_out_percent between 1 and 50) not valid;
alter table campaigns validate constraint campaigns_hold_out_percent_check;
-- How many they are, and how many of them and of the recipients wrote or clicked; null where nobody was kept out.
alter table campaigns add column held_out jsonb;
-- When that is counted next; null once the days of the comparison are over.
alter table campaigns add column hold_out_due_at timestamptz;
create index campaigns_hold_out_due on campaigns (hold_out_due_at) where hold_out_due_at is not null;
