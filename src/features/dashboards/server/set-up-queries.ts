import type { Sql } from '#lib/server/db.ts'

export interface SetUpRow {
	id: number
	/** True once credentials are saved. */
	hasKey: boolean
	displayPhoneNumber: string | null
	/** Reason for admins why the sender is stopped or waits for WhatsApp; null while it may send. */
	keyProblem: string | null
	/** Time of the latest inbound webhook; null before the first one. */
	webhookAt: Date | null
	/** True while messages are sent and no status updates arrive. */
	isSilent: boolean
	approvedTemplates: number
	balancePaise: number
	marketingPaise: number
	utilityPaise: number
}

/** Returns the set-up of these users, at most 100. Omits admins, deleted users and unknown ids. */
export async function listSetUpsAllAccounts(sql: Sql, userIds: number[]): Promise<SetUpRow[]> {
	return sql<SetUpRow[]>`
		with chosen as (
			select u.id, u.account_id from users u
			where u.id = any(${userIds}::bigint[]) and u.role = 'user' and u.deleted_at is null
		), unprocessed as (
			select account_id, max(received_at) as newest
			from webhook_deliveries where account_id in (select account_id from chosen) group by account_id
		), approved as (
			select account_id, count(*) as total
			from templates
			where account_id in (select account_id from chosen) and status = 'APPROVED' and gone_at is null
			group by account_id
		)
		select c.id, s.account_id is not null as "hasKey", s.display_phone_number as "displayPhoneNumber",
			coalesce(s.stopped_reason_for_admin, s.stopped_reason, s.waiting_cause, s.waiting_reason) as "keyProblem",
			greatest(t.last_received_at, d.newest) as "webhookAt", s.silence_notified_at is not null as "isSilent",
			coalesce(a.total, 0) as "approvedTemplates", coalesce(w.available_paise, 0) as "balancePaise",
			coalesce(p.marketing_paise, 0) as "marketingPaise", coalesce(p.utility_paise, 0) as "utilityPaise"
		from chosen c
		left join senders s on s.account_id = c.account_id
		left join webhook_totals t on t.account_id = c.account_id
		left join unprocessed d on d.account_id = c.account_id
		left join approved a on a.account_id = c.account_id
		left join wallets w on w.account_id = c.account_id
		left join prices p on p.account_id = c.account_id
		order by c.id
	`
}
