import assert from 'node:assert/strict'
import type { Db, AccountId } from '#lib/server/db.ts'
import type { Model } from './model.ts'

interface Books {
	accountId: AccountId
	/** State of the account in the database, in the format of `Model.describe`. */
	said: string
	/** Violated invariants, each with its campaign. */
	broken: string[] | null
}

/**
 * Reads the state of accounts in one statement, and the violated invariants of money and counters. The reconciliation checks
 * the ledger's chain, statements, receipts and blocks.
 */
export async function readBooks(db: Db, accountIds: readonly AccountId[]): Promise<Books[]> {
	return db<Books[]>`
		with counted as (
			select m.account_id, m.campaign_id, array[
					count(*) filter (where m.status = 'pending'), count(*) filter (where m.status = 'sent'),
					count(*) filter (where m.status = 'delivered'), count(*) filter (where m.status = 'read'),
					count(*) filter (where m.status = 'failed')
				] as counts,
				count(*) filter (where m.status = 'pending' and m.seq > c.claimed_through) as unclaimed,
				count(distinct m.number) as numbers,
				string_agg(
					m.status || coalesce(m.error_code::text, '') || coalesce('@' || m.price_paise, '')
						|| case when m.is_free then '!free' when not m.is_free then '!paid' else '' end, ' ' order by m.seq
				) as states,
				sum(coalesce(m.price_paise, c.price_paise)) filter (where m.status = 'pending') as pending_price,
				sum(coalesce(m.price_paise, c.price_paise)) filter (where m.status not in ('pending', 'failed')) as charged_price,
				sum(m.price_paise - c.price_paise) filter (where m.status = 'pending') as pending_extra,
				sum(m.price_paise - c.price_paise) filter (where m.status not in ('pending', 'failed')) as charged_extra
			from campaign_messages m
			join campaigns c on c.account_id = m.account_id and c.id = m.campaign_id
			where m.account_id = any(${accountIds}::bigint[])
			group by 1, 2
		), posted as (
			select account_id, coalesce(campaign_id, 0) as campaign_id, sum(held_change_paise) as held,
				sum(available_change_paise + held_change_paise) as total
			from ledger_entries where account_id = any(${accountIds}::bigint[]) group by 1, 2
		), waiting as (
			select account_id, campaign_id, count(*) as messages from (
				select account_id, campaign_id, unnest(seqs) as seq from message_claims
				union all
				select account_id, campaign_id, seq from unsettled_messages
			) k
			join campaign_messages m using (account_id, campaign_id, seq)
			where account_id = any(${accountIds}::bigint[]) and m.status = 'pending'
			group by 1, 2
		), failed as (
			select account_id, campaign_id, sum(message_count) as messages
			from campaign_failures where account_id = any(${accountIds}::bigint[]) group by 1, 2
		), checked as (
			select c.*, n.states, coalesce(n.pending_price, 0) as pending_price, coalesce(n.charged_price, 0) as charged_price,
				coalesce(n.pending_extra, 0) as pending_extra, coalesce(n.charged_extra, 0) as charged_extra,
				 coalesce(n.counts, '{0,0,0,0,0}') as counts, coalesce(n.numbers, 0) as numbers,
				coalesce(n.unclaimed, 0) as unclaimed, coalesce(p.held, 0) as held,
				-coalesce(p.total, 0) as cost, coalesce(w.messages, 0) as waiting, coalesce(f.messages, 0) as failures
			from campaigns c
			left join counted n on n.account_id = c.account_id and n.campaign_id = c.id
			left join posted p on p.account_id = c.account_id and p.campaign_id = c.id
			left join waiting w on w.account_id = c.account_id and w.campaign_id = c.id
			left join failed f on f.account_id = c.account_id and f.campaign_id = c.id
			where c.account_id = any(${accountIds}::bigint[])
		), broken as (
			select account_id, format('the ledger adds up to %s, the wallet to %s', l.total, w.available_paise + w.held_paise) as rule
			from wallets w
			cross join lateral (select coalesce(sum(total), 0) as total from posted p where p.account_id = w.account_id) l
			where w.account_id = any(${accountIds}::bigint[])
				and (l.total <> w.available_paise + w.held_paise or w.available_paise < 0 or w.held_paise < 0)
			union all
			select w.account_id, format('%s of credits went back, %s by the ledger and %s owed', b.due, -b.taken, w.owed_paise)
			from wallets w
			cross join lateral (
				select
					(
						select coalesce(sum(
							credit_paise * refunded_paise / (credit_paise + cgst_paise + sgst_paise + igst_paise)
						), 0)
						from payments p where p.account_id = w.account_id and credited_by is not null
					) as due,
					(
						select coalesce(sum(available_change_paise), 0) from ledger_entries e
						where e.account_id = w.account_id and kind = 'reversal'
					) as taken
			) b
			where w.account_id = any(${accountIds}::bigint[]) and b.due <> w.owed_paise - b.taken
			union all
			select p.account_id, format('payment %s refunded %s, its notes %s and %s', p.id, p.refunded_paise, n.total, n.parts)
			from payments p
			join ledger_entries e on e.account_id = p.account_id and e.reference = 'payment:' || p.id
			left join lateral (
				select coalesce(sum(sign * (taxable_paise + cgst_paise + sgst_paise + igst_paise + rounding_paise)), 0) as total,
					array[sum(sign * taxable_paise), sum(sign * cgst_paise), sum(sign * sgst_paise), sum(sign * igst_paise)]::bigint[]
						as parts
				from (select *, case kind when 'credit' then 1 else -1 end as sign from tax_notes) t
				where t.account_id = p.account_id and t.entry_id = e.id
			) n on true
			where p.account_id = any(${accountIds}::bigint[]) and (
				n.total <> p.refunded_paise
				or p.refunded_paise = p.credit_paise + p.cgst_paise + p.sgst_paise + p.igst_paise
					and n.parts <> array[p.credit_paise, p.cgst_paise, p.sgst_paise, p.igst_paise]
			)
			union all
			select account_id, format('campaign %s holds %s and costs %s', id, held, cost) from checked
			where held <> pending_price or cost <> charged_price - waived_count * price_paise or cost < 0
			union all
			select account_id, format('campaign %s sums %s and %s', id, pending_extra_paise, charged_extra_paise) from checked
			where pending_extra_paise <> pending_extra or charged_extra_paise <> charged_extra
			union all
			select account_id, format('campaign %s counts %s of %s, failures %s', id, counts, total_count, failures) from checked
			where counts is distinct from
					array[pending_count, sent_count, delivered_count, read_count, failed_count]::bigint[]
				or total_count <> pending_count + sent_count + delivered_count + read_count + failed_count
				or failures <> case when kind = 'chat' then 0 else failed_count end
			union all
			select account_id, format('campaign %s has %s numbers for %s messages', id, numbers, total_count) from checked
			where numbers <> total_count
			union all
			select account_id, format('campaign %s has %s pending, %s unclaimed, %s in a claim or waiting', id, pending_count,
				unclaimed, waiting)
			from checked
			where pending_count <> unclaimed + waiting
		)
		select w.account_id as "accountId",
			concat_ws(
				E'\n', format('available %s, held %s, owed %s', w.available_paise, w.held_paise, w.owed_paise),
				(
					select string_agg(
						format(
							'%s %s at %s, waived %s: %s', id, status, price_paise, waived_count, states
						), E'\n' order by id
					)
					from checked c where c.account_id = w.account_id
				), (
					select string_agg(format('reply at %s %s is %s', price_paise, status, state), E'\n' order by message_id)
					from reply_charges r where r.account_id = w.account_id
				), (
					select string_agg(
						format('payment %s credited %s, refunded %s', p.id, coalesce(e.available_change_paise, 0),
							case when e.id is null then 0 else p.refunded_paise end),
						E'\n' order by p.id
					)
					from payments p
					left join ledger_entries e on e.account_id = p.account_id and e.reference = 'payment:' || p.id
					where p.account_id = w.account_id
				)
			) as said,
			(select array_agg(rule) from broken b where b.account_id = w.account_id) as broken
		from wallets w
		where w.account_id = any(${accountIds}::bigint[])
	`
}

/** Throws if the state differs from the model or an invariant is violated. */
export function compare({ said, broken }: Books, model: Model): void {
	assert.equal(said, model.describe())
	assert.deepEqual(broken ?? [], [])
}

/** Deletes all money, campaigns and messages, because the time to read them grows with their number. */
export async function emptyBooks(db: Db): Promise<void> {
	await db`
		truncate ledger_entries, statement_lines, receipts, campaigns, campaign_messages, campaign_failures, campaign_blocks,
			campaign_minutes, daily_totals, waiting_refunds, notifications, message_claims, unsettled_messages, unmatched_reports,
			opt_outs, opt_out_changes, usage_days, market_prices,
			reply_charges, chat_messages, payments, tax_notes
	`
	await db`update wallets set available_paise = 0, held_paise = 0, owed_paise = 0, statement_part = 0, statement_day = null, low_notified_at = null`
	await db`update receipt_counters set last_number = 0`
}
