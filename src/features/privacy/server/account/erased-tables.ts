import type { ErasedTable } from './account-queries.ts'

/**
 * All tables that an erased account leaves no row in, in the order in which they are emptied: first what lets something new
 * arrive. What the ledger stands on keeps its rows, without texts.
 */
export const ERASED_TABLES: readonly ErasedTable[] = [
	{ table: 'senders', key: 'account_id' },
	{ table: 'api_keys', key: 'id' },
	{ table: 'api_requests', key: 'key_hash' },
	{ table: 'former_numbers', key: 'phone_number_id' },
	{ table: 'jobs', account: 'owner_id', key: 'id' },
	{ table: 'webhook_deliveries', key: 'id' },
	{ table: 'webhook_totals', key: 'account_id' },
	{ table: 'unmatched_reports', key: 'wamid, status' },
	{ table: 'unsettled_messages', key: 'campaign_id, seq' },
	{ table: 'message_claims', key: 'lease_epoch, batch' },
	{ table: 'campaign_messages', key: 'campaign_id, seq' },
	{ table: 'campaign_replies', key: 'campaign_id, seq' },
	{ table: 'campaign_blocks', key: 'campaign_id, block' },
	{ table: 'campaign_minutes', key: 'campaign_id, minute' },
	{ table: 'campaign_failures', key: 'campaign_id, error_code' },
	{ table: 'chat_marks', key: 'target_wamid, kind, is_own' },
	{ table: 'chat_messages', key: 'id' },
	{ table: 'chats', key: 'key' },
	{ table: 'chat_settings', key: 'account_id' },
	{ table: 'contacts', key: 'id' },
	{ table: 'contact_groups', key: 'id' },
	{ table: 'contact_counts', key: 'group_id' },
	{ table: 'consents', key: 'id' },
	{ table: 'opt_outs', key: 'number' },
	{ table: 'opt_out_changes', key: 'id' },
	{ table: 'whatsapp_ids', key: 'number' },
	{ table: 'erasure_keys', key: 'account_id' },
	{ table: 'privacy_requests', key: 'id' },
	{ table: 'templates', key: 'id' },
	{ table: 'template_creations', key: 'request_id' },
	{ table: 'template_syncs', key: 'account_id' },
	{ table: 'notifications', key: 'id' },
	{ table: 'push_devices', key: 'id' },
	{ table: 'sign_ins', key: 'id' },
	{ table: 'prices', key: 'account_id' },
	{ table: 'account_storage', key: 'account_id' },
]
