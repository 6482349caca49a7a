-- The list of contacts is ordered by name page by page. By code point: alphabetical within each script, and the same in
-- every database, whatever its locale.
create index contacts_name on contacts (account_id, lower(first_name || ' ' || coalesce(last_name, '')) collate "C", id);
