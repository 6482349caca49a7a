-- Reconciliation adds up what one campaign has moved, and that of all chats (campaign 0).
create index statement_lines_campaign on statement_lines (account_id, campaign_id);
