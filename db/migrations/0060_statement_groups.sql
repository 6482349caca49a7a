-- A statement shows one line for each campaign: what a campaign moved is found by its number and in order, and the first lines
-- of campaigns are met by walking the days backwards, so that a page reads the lines around it and not the years before.
create index statement_lines_of_campaign on statement_lines (account_id, campaign_id, id);
create index statement_lines_of_day on statement_lines (account_id, day, id);
drop index statement_lines_campaign;
