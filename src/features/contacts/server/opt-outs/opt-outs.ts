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

/** Of more chats, browsers are told at once that any may have changed: events are kept for all accounts together. */
const MAX_ANNOUNCED = 100

/**
 * Takes what was said about receiving marketing, in the caller's transaction, for numbers in contacts or not. What was said
 * last counts, in whatever order it arrives; of what was said at one moment, opting out does. It holds for every number under
 * which WhatsApp reaches the person. Returns what has changed.
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
 * Who was erased stays opted out without their number being written again. Who wants marketing again is known by it from then
 * on.
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
 * Keeps the ids under which WhatsApp knows numbers, where they differ, and applies what was said under the one to the other:
 * people who opted out under WhatsApp's id get nothing at the number that was typed.
 */
export async function recordWhatsappIds(sql: Sql, accountId: AccountId, ids: readonly WhatsappId[]): Promise<void> {
	const other = ids.filter(({ number, waId }) => number !== waId)
	// An answer may come for a message that was in flight when its recipient was erased.
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

/** From now on. Returns how many that changes. */
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
