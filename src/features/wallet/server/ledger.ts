import type { AccountId, Sql } from '#lib/server/db.ts'
import { accountChannel, publish } from '#lib/server/db/channels/channels.ts'
import { INDIAN_TODAY } from '#lib/server/db/indian-today.ts'

/**
 * One posting to a wallet. The sum of the changes that it makes to the available and the held balance is the money paid
 * in (positive) or spent (negative).
 */
export interface Posting {
	kind: 'recharge' | 'hold' | 'capture' | 'release' | 'refund' | 'reversal'
	/** Unique per account. Posting a known reference changes nothing. */
	reference: string
	paise: number
	campaignId?: number
	messageCount?: number
	notes?: string | undefined
	adminId?: number
	/** True for a hold that adds to an earlier one of its campaign. The statement sums both in one line. */
	isMore?: boolean
	/** True for a hold that an account which owes money does not get. */
	refusesOwing?: boolean
	/** True for the money of replies in chats, which belongs to no campaign. Its reference begins with `REPLY_REFERENCE`. */
	isReply?: boolean
}

/** The beginning of the references of replies' entries. No other entry's reference begins so. */
export const REPLY_REFERENCE = 'reply:'

export interface Wallet {
	availablePaise: number
	heldPaise: number
}

/** Channel of accounts whose balance fell below their warning limit. */
export const lowBalanceChannel = accountChannel('low_balance')

/** Effect of each kind on [available, held], per paisa. */
const effects = {
	recharge: [1, 0],
	hold: [-1, 1],
	capture: [0, -1],
	release: [1, -1],
	refund: [1, 0],
	// A recharge that is taken back. Negative paise undo that.
	reversal: [-1, 0],
} as const

/** Creates the empty wallet of a new account. */
export async function openWallet(sql: Sql, accountId: AccountId): Promise<void> {
	await sql`insert into wallets (account_id) values (${accountId}) on conflict do nothing`
}

/** Returns the wallet's balances; zeros for an account without a wallet. */
export async function getWallet(sql: Sql, accountId: AccountId): Promise<Wallet> {
	const [row] = await sql<Wallet[]>`
		select available_paise as "availablePaise", held_paise as "heldPaise" from wallets where account_id = ${accountId}
	`
	return row ?? { availablePaise: 0, heldPaise: 0 }
}

/**
 * Posts one entry and updates the wallet and its statement; call it in the transaction that causes the money to move.
 * Returns the new balances, or null and no change when the wallet is short, or owes and the posting refuses that. A known reference changes nothing and
 * returns the current balances. When two transactions post the same reference concurrently, the later one fails on the
 * unique key and rolls back.
 */
export async function post(sql: Sql, accountId: AccountId, posting: Posting): Promise<Wallet | null> {
	const [available, held] = effects[posting.kind]
	const change = { available: available * posting.paise, held: held * posting.paise }
	const moved = await moveWallet(sql, accountId, { posting, change })
	if (moved) {
		const entryId = await insertEntry(sql, accountId, { posting, change, moved })
		if (!moved.hasLine) await insertLine(sql, accountId, { posting, change, moved, entryId })
		// Publishes for holds only, since only new spending deserves a warning.
		if (moved.isNewlyLow && posting.kind === 'hold') publish(sql, lowBalanceChannel, accountId)
		return { availablePaise: moved.availablePaise, heldPaise: moved.heldPaise }
	}
	const known = await sql`
		select 1 from ledger_entries where account_id = ${accountId} and reference = ${posting.reference}
	`
	return known.length > 0 ? getWallet(sql, accountId) : null
}

/** The order in which no balance becomes negative in between when the wallet can pay for all postings together. */
const POSTING_ORDER: readonly Posting['kind'][] = ['recharge', 'release', 'refund', 'reversal', 'hold', 'capture']

/**
 * Posts the entries of one settlement, those that give money back first. Returns the paise spent; negative when money came
 * back. Throws when an entry exceeds what the wallet has.
 */
export async function postAll(sql: Sql, accountId: AccountId, postings: readonly Posting[]): Promise<number> {
	let spentPaise = 0
	const rankOf = ({ kind }: Posting) => POSTING_ORDER.indexOf(kind)
	for (const posting of postings.toSorted((a, b) => rankOf(a) - rankOf(b))) {
		const { kind, reference, paise } = posting
		if (!(await post(sql, accountId, posting))) throw new Error(`the ${kind} ${reference} exceeds what the wallet has`)
		if (kind === 'capture') spentPaise += paise
		if (kind === 'refund') spentPaise -= paise
	}
	return spentPaise
}

interface MovedWallet extends Wallet {
	isNewlyLow: boolean
	/** Statement part and day of the entry. */
	part: number
	day: string
	/** The campaign of the entry's line; 0 without a campaign, and the day as -20261126 for replies. */
	subject: number
	/**
	 * True when the statement already had a line of this part, kind and campaign. The update has added the entry to it.
	 */
	hasLine: boolean
}

interface Change {
	posting: Posting
	change: { available: number; held: number }
}

/**
 * Updates the wallet and, if it exists, the entry's statement line. Returns undefined when the wallet is short, owes money
 * that the posting refuses, or the reference is known. The caller inserts new rows in separate statements with plain values: on Citus, rows of an
 * insert-select pass through every node.
 *
 * A statement consists of consecutive parts. Within a part, entries of one kind and campaign form one line, and lines
 * are read in the order recharge, reversal, hold, capture, release, refund, each with the balance after it. A new part
 * begins with a recharge, a reversal, a campaign's first hold, a new day, or a hold that exceeds the rest of the part's opening balance
 * (`statement_left_paise`). No line's balance falls below zero: the opening balance pays all holds, and the opening
 * hold plus the new holds cover the captures and releases. The replies of a day are one line for each kind, as if a campaign
 * of the day had sent them.
 */
async function moveWallet(
	sql: Sql,
	accountId: AccountId,
	{ posting, change }: Change,
): Promise<MovedWallet | undefined> {
	const isOfPart = posting.kind === 'recharge' || posting.kind === 'reversal'
	const isNew = isOfPart || (posting.kind === 'hold' && !posting.isMore && !posting.isReply)
	const paid = isOfPart || posting.kind === 'hold' ? change.available : 0
	const startsPart = sql`(
		${isNew} or statement_day is null or statement_day < ${INDIAN_TODAY} or coalesce(statement_left_paise, 0) + ${paid} < 0
	)`
	// A distributed database refuses `to_char` of a column in an update, since its result depends on settings.
	const subject = posting.isReply
		? sql`-(
				extract(year from m.statement_day) * 10000 + extract(month from m.statement_day) * 100
					+ extract(day from m.statement_day)
			)::bigint`
		: sql`${posting.campaignId ?? 0}::bigint`
	const [moved] = await sql<MovedWallet[]>`
		with moved as (
			update wallets
			set available_paise = available_paise + ${change.available}, held_paise = held_paise + ${change.held},
				statement_part = statement_part + ${startsPart}::int, statement_day = greatest(statement_day, ${INDIAN_TODAY}),
				statement_left_paise = ${startsPart}::int * available_paise
					+ (not ${startsPart})::int * coalesce(statement_left_paise, 0) + ${paid},
				low_notified_at = case when available_paise + ${change.available} < low_balance_paise then low_notified_at end
			where account_id = ${accountId}
				and available_paise + ${change.available} >= 0 and held_paise + ${change.held} >= 0
				and (owed_paise = 0 or ${!posting.refusesOwing})
				and not exists (
					select 1 from ledger_entries where account_id = ${accountId} and reference = ${posting.reference}
				)
			returning available_paise, held_paise, statement_part, statement_day,
				available_paise < low_balance_paise and low_notified_at is null as is_low
		), line as (
			update statement_lines l
			set available_change_paise = l.available_change_paise + ${change.available},
				held_change_paise = l.held_change_paise + ${change.held},
				message_count = l.message_count + ${posting.messageCount ?? null}, last_at = now()
			from moved m
			where l.account_id = ${accountId} and l.part = m.statement_part and l.kind = ${posting.kind}
				and l.campaign_id = ${subject} and l.day = m.statement_day
			returning 1
		)
		select available_paise as "availablePaise", held_paise as "heldPaise", is_low as "isNewlyLow",
			statement_part as part, to_char(statement_day, 'YYYY-MM-DD') as day, ${subject} as subject,
			exists (select from line) as "hasLine"
		from moved m
	`
	return moved
}

async function insertEntry(
	sql: Sql,
	accountId: AccountId,
	{ posting, change, moved }: Change & { moved: MovedWallet },
): Promise<number> {
	const [entry] = await sql<{ id: number }[]>`
		insert into ledger_entries (
			account_id, kind, reference, available_change_paise, held_change_paise,
			available_after_paise, held_after_paise, campaign_id, message_count, notes, admin_id
		)
		values (
			${accountId}, ${posting.kind}, ${posting.reference}, ${change.available}, ${change.held},
			${moved.availablePaise}, ${moved.heldPaise}, ${posting.campaignId ?? null}, ${posting.messageCount ?? null},
			${posting.notes ?? null}, ${posting.adminId ?? null}
		)
		returning id
	`
	if (!entry) throw new Error('The entry was not written')
	return entry.id
}

/**
 * Inserts the entry's line, or adds to a line that another transaction wrote while `moveWallet` waited for the lock.
 */
async function insertLine(
	sql: Sql,
	accountId: AccountId,
	{ posting, change, moved, entryId }: Change & { moved: MovedWallet; entryId: number },
): Promise<void> {
	await sql`
		insert into statement_lines as l (
			account_id, id, part, kind, campaign_id, day, available_change_paise, held_change_paise,
			available_after_paise, held_after_paise, message_count
		)
		values (
			${accountId}, ${entryId}, ${moved.part}, ${posting.kind}, ${moved.subject},
			${moved.day}, ${change.available}, ${change.held},
			${moved.availablePaise}, ${moved.heldPaise}, ${posting.messageCount ?? null}
		)
		on conflict (account_id, part, kind, campaign_id, day) do update
		set available_change_paise = l.available_change_paise + excluded.available_change_paise,
			held_change_paise = l.held_change_paise + excluded.held_change_paise,
			message_count = l.message_count + excluded.message_count,
			last_at = excluded.last_at
	`
}

/**
 * Sets the balance in paise below which the user is warned; 0 turns the warning off. A changed limit clears the mark of
 * an earlier warning.
 */
export async function setLowBalance(sql: Sql, accountId: AccountId, paise: number): Promise<void> {
	await sql`
		update wallets set low_balance_paise = ${paise}, low_notified_at = null
		where account_id = ${accountId} and low_balance_paise <> ${paise}
	`
}

/**
 * Adds to the amount that the account owes of refunded payments. Negative paise reduce the amount. Call it with the wallet
 * locked.
 */
export async function addOwed(sql: Sql, accountId: AccountId, paise: number): Promise<void> {
	await sql`update wallets set owed_paise = owed_paise + ${paise} where account_id = ${accountId}`
}

/** Marks the warning as given and returns its amounts; undefined when none is due or another process took it. */
export async function takeLowWarning(
	sql: Sql,
	accountId: AccountId,
): Promise<{ availablePaise: number; lowBalancePaise: number } | undefined> {
	const [row] = await sql<{ availablePaise: number; lowBalancePaise: number }[]>`
		update wallets set low_notified_at = now()
		where account_id = ${accountId} and low_notified_at is null and available_paise < low_balance_paise and statement_part > 0
		returning available_paise as "availablePaise", low_balance_paise as "lowBalancePaise"
	`
	return row
}

/**
 * Removes payer names and notes from up to `limit` recharges and their receipts; amounts, days and numbers remain.
 * Returns the number of erased rows.
 */
export async function eraseRecharges(sql: Sql, accountId: AccountId, limit: number): Promise<number> {
	const rows = await sql`
		with erased as (
			update receipts
			set payer_name = 'Erased', payer_email = '', payer_business_name = null, payer_business_address = null,
				payer_gstin = null, payer_state = null
			where account_id = ${accountId} and payer_email <> '' and entry_id in (
				select entry_id from receipts where account_id = ${accountId} and payer_email <> '' limit ${limit}
			)
			returning entry_id
		), noted as (
			update ledger_entries set notes = null where account_id = ${accountId} and id in (select entry_id from erased)
		)
		select 1 from erased
	`
	return rows.length
}

/** A violated rule about money. The account is null when the rule concerns all accounts. */
export interface Finding {
	accountId: AccountId | null
	rule: string
	detail: string
}

/** Maximum number of findings. More would not help an operator, and a damaged table must not fill the memory. */
export const MAX_FINDINGS = 100
