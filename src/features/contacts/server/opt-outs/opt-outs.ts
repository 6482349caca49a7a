import type { OptOutReason } from '#features/contacts/contract.ts'
import { dialledForm } from '#lib/phone.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { announceLive } from '#lib/server/db/channels.ts'
import { getNow } from '#lib/server/db/now.ts'
import { recordEvents } from '#lib/server/jobs/outgoing-events.ts'
import { renameOptOuts } from '../erasure/erased-queries.ts'
import { listErased } from '../erasure/erased.ts'
import { listSamePeople, upsertWhatsappIds, type WhatsappId } from '../whatsapp-id-queries.ts'
import * as queries from './opt-out-queries.ts'
import type { OptOutWord } from './opt-out-queries.ts'

/**
 * Chats for which single events are published. Above this number, one event says that any chat may have changed: all
 * accounts share the store of events.
 */
const MAX_ANNOUNCED = 100

/**
 * Applies statements about marketing in the caller's transaction, for contacts and other numbers. The latest statement
 * wins whatever the order of arrival; of two at one moment, the opt-out wins. A statement applies to every number under
 * which WhatsApp reaches the person. Returns the changes.
 */
export async function applyOptOuts(sql: Sql, accountId: AccountId, said: readonly OptOutWord[]): Promise<OptOutWord[]> {
	const dialled = said.map((word) => ({ ...word, number: dialledForm(word.number) }))
	const words = await wordsOfErased(sql, accountId, dialled)
	const last = new Map<string, OptOutWord>()
	for (const word of [...words, ...(await wordsForSamePeople(sql, accountId, words))]) {
		const known = last.get(word.number)
		if (!known || word.at > known.at || (word.at.getTime() === known.at.getTime() && word.optedOut))
			last.set(word.number, word)
	}
	if (last.size === 0) return []
	const before = await queries.lockOptOuts(sql, accountId, [...last.keys()])
	const wasOptedOut = new Set(before.flatMap(({ number, optedOut }) => (optedOut ? [number] : [])))
	const written = await queries.upsertOptOuts(sql, accountId, [...last.values()])
	const changed = written.flatMap(({ number }) => {
		const word = last.get(number)
		return word && word.optedOut !== wasOptedOut.has(number) ? [word] : []
	})
	if (changed.length === 0) return []
	await queries.writeOptOutChanges(sql, accountId, changed)
	const optedOut = changed.filter((word) => word.optedOut)
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
async function wordsOfErased(
	sql: Sql,
	accountId: AccountId,
	words: readonly OptOutWord[],
): Promise<readonly OptOutWord[]> {
	const erased = await listErased(
		sql,
		accountId,
		words.map(({ number }) => number),
	)
	if (erased.size === 0) return words
	const rest = words.filter(({ number, optedOut }) => !(optedOut && erased.has(number)))
	const back = new Set(rest.map(({ number }) => number))
	const renamed = [...erased].flatMap(([number, form]) => (back.has(number) ? [{ from: form, to: number }] : []))
	if (renamed.length > 0) await renameOptOuts(sql, accountId, renamed)
	return rest
}

async function wordsForSamePeople(sql: Sql, accountId: AccountId, words: readonly OptOutWord[]): Promise<OptOutWord[]> {
	const numbers = [...new Set(words.map(({ number }) => number))]
	if (numbers.length === 0) return []
	const others = Map.groupBy(await listSamePeople(sql, accountId, numbers), ({ number }) => number)
	if (others.size === 0) return []
	return words.flatMap((word) => (others.get(word.number) ?? []).map(({ same }) => ({ ...word, number: same })))
}

/**
 * Stores the WhatsApp ids of numbers that differ from them, and applies statements made under either to both: a person
 * who opted out under WhatsApp's id gets nothing at the typed number.
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
	await applyOptOuts(sql, accountId, await queries.listWords(sql, accountId, numbers))
}

/** Opts numbers out or in from now on. Returns the number of changes. */
export async function setOptOuts(
	sql: Sql,
	accountId: AccountId,
	{ numbers, optedOut, because }: { numbers: readonly string[]; optedOut: boolean; because: OptOutReason },
): Promise<number> {
	if (numbers.length === 0) return 0
	const at = await getNow(sql)
	const changed = await applyOptOuts(
		sql,
		accountId,
		numbers.map((number) => ({ number, optedOut, because, at })),
	)
	return changed.length
}
