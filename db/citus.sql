-- Spreads a migrated database over the machines of a Citus coordinator: accounts, people, their sessions and what admins
-- did are held whole by every machine, all that belongs to an account lives together on one. The tables named nowhere
-- here (workers, schema_migrations) stay on the coordinator alone. One statement for each table: those that have taken
-- effect before are left out, so that a new table is added at the end of its half.
select create_reference_table('accounts');
select create_reference_table('users');
select create_reference_table('sessions');
select create_reference_table('password_resets');
select create_reference_table('admin_actions');
select create_reference_table('receipt_counters');
select create_reference_table('money_audits');
select create_reference_table('email_changes');
select create_reference_table('second_factors');
select create_reference_table('recovery_codes');
select create_reference_table('api_keys');

select create_distributed_table('wallets', 'account_id');
select create_distributed_table('ledger_entries', 'account_id', colocate_with => 'wallets');
select create_distributed_table('prices', 'account_id', colocate_with => 'wallets');
select create_distributed_table('senders', 'account_id', colocate_with => 'wallets');
select create_distributed_table('webhook_deliveries', 'account_id', colocate_with => 'wallets');
select create_distributed_table('contact_groups', 'account_id', colocate_with => 'wallets');
select create_distributed_table('contact_counts', 'account_id', colocate_with => 'wallets');
select create_distributed_table('contacts', 'account_id', colocate_with => 'wallets');
select create_distributed_table('templates', 'account_id', colocate_with => 'wallets');
select create_distributed_table('campaigns', 'account_id', colocate_with => 'wallets');
select create_distributed_table('campaign_messages', 'account_id', colocate_with => 'wallets');
select create_distributed_table('message_claims', 'account_id', colocate_with => 'wallets');
select create_distributed_table('unsettled_messages', 'account_id', colocate_with => 'wallets');
select create_distributed_table('campaign_failures', 'account_id', colocate_with => 'wallets');
select create_distributed_table('daily_totals', 'account_id', colocate_with => 'wallets');
select create_distributed_table('statement_lines', 'account_id', colocate_with => 'wallets');
select create_distributed_table('receipts', 'account_id', colocate_with => 'wallets');
select create_distributed_table('notifications', 'account_id', colocate_with => 'wallets');
select create_distributed_table('unmatched_reports', 'account_id', colocate_with => 'wallets');
select create_distributed_table('former_numbers', 'account_id', colocate_with => 'wallets');
select create_distributed_table('opt_out_changes', 'account_id', colocate_with => 'wallets');
select create_distributed_table('template_creations', 'account_id', colocate_with => 'wallets');
select create_distributed_table('template_syncs', 'account_id', colocate_with => 'wallets');
select create_distributed_table('chats', 'account_id', colocate_with => 'wallets');
select create_distributed_table('chat_messages', 'account_id', colocate_with => 'wallets');
select create_distributed_table('chat_marks', 'account_id', colocate_with => 'wallets');
select create_distributed_table('chat_settings', 'account_id', colocate_with => 'wallets');
select create_distributed_table('campaign_replies', 'account_id', colocate_with => 'wallets');
select create_distributed_table('opt_outs', 'account_id', colocate_with => 'wallets');
select create_distributed_table('webhook_totals', 'account_id', colocate_with => 'wallets');
select create_distributed_table('campaign_blocks', 'account_id', colocate_with => 'wallets');
select create_distributed_table('campaign_minutes', 'account_id', colocate_with => 'wallets');
select create_distributed_table('sign_ins', 'account_id', colocate_with => 'wallets');
select create_distributed_table('whatsapp_ids', 'account_id', colocate_with => 'wallets');
select create_distributed_table('account_storage', 'account_id', colocate_with => 'wallets');
select create_distributed_table('waiting_refunds', 'account_id', colocate_with => 'wallets');
select create_distributed_table('erasure_keys', 'account_id', colocate_with => 'wallets');
select create_distributed_table('privacy_requests', 'account_id', colocate_with => 'wallets');
select create_distributed_table('consents', 'account_id', colocate_with => 'wallets');
select create_distributed_table('api_requests', 'account_id', colocate_with => 'wallets');
select create_distributed_table('push_devices', 'account_id', colocate_with => 'wallets');
select create_distributed_table('campaign_clicks', 'account_id', colocate_with => 'wallets');
select create_distributed_table('sending_rules', 'account_id', colocate_with => 'wallets');
