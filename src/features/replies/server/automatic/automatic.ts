import type { AutomaticBody, BusinessHours, GivenSettings } from '#features/replies/contract.ts'
import { problem } from '#features/replies/problems.ts'
import { MAX_AUTOMATIC_REPLIES } from '#features/replies/rules.ts'
import { indianDay } from '#lib/dates.ts'
import { notFound } from '#lib/problems.ts'
import { transaction, type AccountId, type Db, type Sql } from '#lib/server/db.ts'
import { getNow } from '#lib/server/db/now.ts'
import { distinctTexts, wordsOf } from '#lib/text/words.ts'
import { lockReplies } from '../saved-queries.ts'
import * as queries from './automatic-queries.ts'
import type { Choice } from './choose-reply.ts'

/** Returns the month in India at a time, such as 2026-11. */
const monthOf = (at: Date) => indianDay(at.getTime()).slice(0, 7)

/** Returns the settings and all automatic replies, with the number of their messages in this month. */
export async function listAutomaticReplies(sql: Sql, accountId: AccountId) {
	const rows = await queries.listAutomatic(sql, accountId, monthOf(await getNow(sql)))
	const settings = (await queries.findSettings(sql, accountId)) ?? { isOn: true, hours: null }
	return { settings, replies: rows.map(({ id, ...reply }) => ({ _id: id, ...reply })) }
}

export async function saveAutomaticSettings(sql: Sql, accountId: AccountId, given: GivenSettings): Promise<void> {
	await queries.upsertSettings(sql, accountId, given)
}

/** Adds an automatic reply. Throws a 409 for a second greeting or away message, and above MAX_AUTOMATIC_REPLIES. */
export async function addAutomaticReply(db: Db, accountId: AccountId, given: AutomaticBody): Promise<void> {
	const reply = readReply(given)
	await transaction(db, async (sql) => {
		const known = await lockedReplies(sql, accountId)
		if (known.length >= MAX_AUTOMATIC_REPLIES) throw problem('automatic_replies_full')
		checkKind(known, { kind: given.kind })
		await queries.insertAutomatic(sql, accountId, reply)
	})
}

/** Changes an automatic reply, which keeps its count of this month. Throws a 404, or a 409 as `addAutomaticReply`. */
export async function changeAutomaticReply(
	db: Db,
	accountId: AccountId,
	{ id, ...given }: AutomaticBody & { id: string },
): Promise<void> {
	const reply = readReply(given)
	await transaction(db, async (sql) => {
		checkKind(await lockedReplies(sql, accountId), { kind: given.kind, except: id })
		if (!(await queries.updateAutomatic(sql, accountId, { id, ...reply }))) throw notFound('Automatic reply')
	})
}

export async function removeAutomaticReply(sql: Sql, accountId: AccountId, id: string): Promise<void> {
	if (!(await queries.deleteAutomatic(sql, accountId, id))) throw notFound('Automatic reply')
}

async function lockedReplies(sql: Sql, accountId: AccountId): Promise<queries.AutomaticRow[]> {
	await lockReplies(sql, accountId)
	return queries.listAutomatic(sql, accountId, '')
}

const SINGLE = { greeting: 'a greeting', away: 'an away message' } as const

function checkKind(
	known: readonly queries.AutomaticRow[],
	{ kind, except }: Pick<AutomaticBody, 'kind'> & { except?: string },
): void {
	if (kind !== 'keyword' && known.some((reply) => reply.kind === kind && String(reply.id) !== except))
		throw problem('automatic_reply_exists', { name: SINGLE[kind] })
}

/** Returns the reply with distinct phrases; with none unless it is a keyword reply. Throws a 400 for faulty texts. */
function readReply({ kind, phrases, text, monthlyLimit }: AutomaticBody): AutomaticBody {
	if (text.includes('{{')) throw problem('automatic_variable')
	if (kind !== 'keyword') return { kind, phrases: [], text, monthlyLimit }
	if (phrases.length === 0) throw problem('automatic_phrase_missing')
	const empty = phrases.find((phrase) => wordsOf(phrase).length === 0)
	if (empty !== undefined) throw problem('automatic_phrase_invalid', { phrase: empty })
	return { kind, phrases: distinctTexts(phrases), text, monthlyLimit }
}

/** The automatic replies that an account may send now. */
export interface Sendable {
	replies: (Choice & { text: string })[]
	hours: BusinessHours | null
	/** The month in India in which `countSent` counts. */
	month: string
}

/** Takes back the count of a message that was written at `at` and certainly never sent. */
export async function takeBackCount(
	sql: Sql,
	accountId: AccountId,
	{ id, at }: { id: number; at: Date },
): Promise<void> {
	await queries.uncountSent(sql, accountId, { id, month: monthOf(at) })
}

/** Returns the automatic replies that may be sent now; none while they are switched off or all limits are reached. */
export async function findSendable(sql: Sql, accountId: AccountId, now: Date): Promise<Sendable> {
	const month = monthOf(now)
	const rows = await queries.listSendable(sql, accountId, month)
	const replies = rows.map(({ phrases, ...reply }) => ({ ...reply, phrases: phrases.map(wordsOf) }))
	return { replies, hours: rows[0]?.hours ?? null, month }
}
