import { recordWork } from '#features/auth/server/service.ts'
import type { OptOutReason } from '#features/contacts/contract.ts'
import { recordEvents } from '#features/events/server/service.ts'
import { plural } from '#lib/numbers.ts'
import { dialledForm, isUserId } from '#lib/phone/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels/channels.ts'
import { getNow } from '#lib/server/db/now.ts'
import { renameOptOuts } from '../erasure/erased-queries.ts'
import { listErased } from '../erasure/erased.ts'
import { listIdsBefore, listSamePeople, upsertWhatsappIds, type WhatsappId } from '../whatsapp-id-queries.ts'
import * as queries from './opt-out-queries.ts'
import type { OptOutStatement } from './opt-out-queries.ts'

export type { OptOutStatement } from './opt-out-queries.ts'

/**
 * Maximum chats for which single events are published. Above this number, one event says that any chat may have changed,
 * because all accounts share the store of events.
 */
const MAX_ANNOUNCED = 100

/**
 * Applies statements about marketing in the caller's transaction, for contacts and other numbers. The latest statement
 * wins whatever the order of arrival; of two at one moment, the opt-out wins. A statement applies to every number under
 * which WhatsApp reaches the person. Returns the changes.
 */
export function applyOptOuts(
	sql: Sql,
	accountId: AccountId,
	given: readonly OptOutStatement[],
): Promise<OptOutStatement[]> {
	return applyOptOutsBeside(sql, accountId, { given, others: [] })
}

/** Applies statements as `applyOptOuts` does, and locks the contacts of `others` together with the changed ones. */
export async function applyOptOutsBeside(
	sql: Sql,
	accountId: AccountId,
	{ given, others }: { given: readonly OptOutStatement[]; others: readonly string[] },
): Promise<OptOutStatement[]> {
	if (given.length === 0) return []
	const dialled = given.map((statement) => ({ ...statement, number: dialledForm(statement.number) }))
	const statements = await statementsOfErased(sql, accountId, dialled)
	const last = new Map<string, OptOutStatement>()
	for (const statement of [...statements, ...(await statementsForSamePeople(sql, accountId, statements))]) {
		const known = last.get(statement.number)
		if (isLater(statement, known)) last.set(statement.number, statement)
	}
	if (last.size === 0) return []
	const before = await queries.lockOptOuts(sql, accountId, [...last.keys()])
	const optedOutBefore = new Set(before.flatMap(({ number, optedOut }) => (optedOut ? [number] : [])))
	const written = await queries.upsertOptOuts(sql, accountId, [...last.values()])
	const changed = written.flatMap(({ number }) => {
		const statement = last.get(number)
		return statement && statement.optedOut !== optedOutBefore.has(number) ? [statement] : []
	})
	if (changed.length === 0) return []
	await queries.writeOptOutChanges(sql, accountId, { changed, others })
	const optedOut = changed.filter((statement) => statement.optedOut)
	await recordEvents(
		sql,
		accountId,
		optedOut.map(({ number, because, at }) => ({ type: 'contact.opted_out', at, data: { number, because } })),
	)
	if (changed.length > MAX_ANNOUNCED) announceLive(sql, accountId, { kind: 'chat' })
	else for (const { number } of changed) announceLive(sql, accountId, { kind: 'chat', id: number })
	return changed
}

/**
 * Handles statements of erased people. An opt-out of an erased number is dropped, because the erased form is opted out
 * already; an opt-in restores the number.
 */
async function statementsOfErased(
	sql: Sql,
	accountId: AccountId,
	statements: readonly OptOutStatement[],
): Promise<readonly OptOutStatement[]> {
	const erased = await listErased(
		sql,
		accountId,
		statements.map(({ number }) => number),
	)
	if (erased.size === 0) return statements
	const rest = statements.filter(({ number, optedOut }) => !(optedOut && erased.has(number)))
	const back = new Set(rest.map(({ number }) => number))
	const renamed = [...erased].flatMap(([number, form]) => (back.has(number) ? [{ from: form, to: number }] : []))
	if (renamed.length > 0) await renameOptOuts(sql, accountId, renamed)
	return rest
}

/** Returns true when a statement replaces another one, as the store decides: of two at one moment the opt-out applies. */
export function isLater(one: OptOutStatement, known: OptOutStatement | undefined): boolean {
	return !known || one.at > known.at || (one.at.getTime() === known.at.getTime() && one.optedOut)
}

/** Locks the opt-outs of these numbers, and of the other numbers of the same people, in one order. */
export async function lockOptOutsOfPeople(sql: Sql, accountId: AccountId, numbers: readonly string[]): Promise<void> {
	const same = await listSamePeople(sql, accountId, numbers)
	const before = await listIdsBefore(sql, accountId, numbers.filter(isUserId))
	await queries.lockOptOuts(sql, accountId, [...new Set([...numbers, ...[...same, ...before].map((one) => one.same)])])
}

async function statementsForSamePeople(
	sql: Sql,
	accountId: AccountId,
	statements: readonly OptOutStatement[],
): Promise<OptOutStatement[]> {
	const numbers = [...new Set(statements.map(({ number }) => number))]
	if (numbers.length === 0) return []
	const others = Map.groupBy(await listSamePeople(sql, accountId, numbers), ({ number }) => number)
	// After a change of user id that names no number, the contact still has the person's number: the opt-out applies to it too.
	const userIds = statements.flatMap(({ number, optedOut }) => (optedOut && isUserId(number) ? number : []))
	const former = Map.groupBy(await listIdsBefore(sql, accountId, userIds), ({ number }) => number)
	return statements.flatMap((statement) => {
		const before = statement.optedOut ? (former.get(statement.number) ?? []) : []
		return [...(others.get(statement.number) ?? []), ...before].map(({ same }) => ({ ...statement, number: same }))
	})
}

/**
 * Stores WhatsApp ids that differ from their numbers, and applies opt-out statements about either to both: a person who
 * opted out under WhatsApp's id gets nothing at the typed number.
 */
export async function recordWhatsappIds(sql: Sql, accountId: AccountId, ids: readonly WhatsappId[]): Promise<void> {
	const other = ids.filter(({ number, waId }) => number !== waId)
	// The reply may concern a message that was in flight when its recipient was erased.
	const erased = await listErased(
		sql,
		accountId,
		other.map(({ number }) => number),
	)
	const unique = new Map(other.filter(({ number }) => !erased.has(number)).map((id) => [id.number, id]))
	if (unique.size === 0) return
	const fresh = await upsertWhatsappIds(sql, accountId, [...unique.values()])
	if (fresh.length === 0) return
	const numbers = fresh.flatMap(({ number, waId }) => [number, waId])
	await applyOptOuts(sql, accountId, await queries.listStatements(sql, accountId, numbers))
}

/**
 * Opts numbers out or in from now on, and records it for a person who does it by hand, whose id is `by`. Returns the number of
 * changes.
 */
export async function setOptOuts(
	sql: Sql,
	accountId: AccountId,
	{
		numbers,
		optedOut,
		because,
		by,
	}: { numbers: readonly string[]; optedOut: boolean; because: OptOutReason; by?: number | undefined },
): Promise<number> {
	if (numbers.length === 0) return 0
	const at = await getNow(sql)
	const changed = await applyOptOuts(
		sql,
		accountId,
		numbers.map((number) => ({ number, optedOut, because, at })),
	)
	if (by !== undefined && changed.length > 0) {
		const details = plural(changed.length, 'number')
		await recordWork(sql, accountId, { by, action: optedOut ? 'opted-out' : 'opted-in', details })
	}
	return changed.length
}
