import type { ChatSettings } from '#features/chats/contract.ts'
import { AUTOMATIC_IDS } from '#features/chats/rules.ts'
import type { SamePerson } from '#features/contacts/server/contacts/join.ts'
import type { OptOutStatement } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { HOUR_MS } from '#lib/durations.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { writeWaiting } from '../sending/send-waiting.ts'
import { findSettings } from '../settings-queries.ts'
import type { NewInbound } from './inbound-queries.ts'
import type { InboundMark } from './message-reader.ts'
import { optOutIntent, stopPhrases, type Intent } from './opt-out-intent.ts'

interface Inbox {
	messages: readonly NewInbound[]
	marks: readonly InboundMark[]
	/** The people whose chats the batch has joined. */
	people: readonly SamePerson[]
	now: Date
	apply: (said: readonly OptOutStatement[]) => Promise<OptOutStatement[]>
}

/** A message of a customer, or the edit of one, with its texts: typed, or of a tapped button. */
interface Said {
	chat: string
	wamid: string
	at: Date
	texts: readonly string[]
	/** Template name of a tapped quick reply; null when it is unknown. Undefined for other messages. */
	template?: string | null
}

/**
 * Applies messages and edits that opt out of marketing or back in; the latest request applies, in any order of arrival. The
 * request of a person who has changed the number applies to the present number, and to the former number while no other
 * person has it. `apply` writes the statements and returns the changes.
 *
 * Confirms each change once, by a chat message that a worker sends, if the account's settings say so and the request is
 * less than `MAX_AGE_MS` old. Returns the wamids of the requests.
 */
export async function changeOptOuts(
	sql: Sql,
	accountId: AccountId,
	{ messages, marks, people, now, apply }: Inbox,
): Promise<ReadonlySet<string>> {
	const said = [...messages.map(saidBy), ...marks.filter(({ kind }) => kind === 'edit').map(changedInto)]
	const settings = said.length > 0 ? await findSettings(sql, accountId) : null
	if (!settings) {
		await apply([])
		return new Set()
	}
	const own = stopPhrases(settings.optOutWords)
	const asked = said.flatMap((message) => {
		const isMarked = isMarkedButton(message, settings)
		const intent: Intent | null = isMarked ? 'stop' : firstIntent(message.texts, own)
		const { chat, others } = numbersOf(message, people)
		return intent ? [{ ...message, chat, others, optedOut: intent === 'stop' }] : []
	})
	const changed = await apply(
		asked.flatMap(({ chat, others, optedOut, at }) =>
			[chat, ...others].map((number) => ({ number, optedOut, because: 'reply' as const, at })),
		),
	)
	const confirmations = (settings.confirms ? changed : []).flatMap(({ number, optedOut }) => {
		const last = asked.findLast(({ chat }) => chat === number)
		// When a message arrives late, its confirmation can be outside the service window.
		if (!last || now.getTime() - last.at.getTime() > MAX_AGE_MS) return []
		const text = optedOut ? settings.optOutText : settings.optInText
		return [{ chat: number, body: { text }, requestId: `${AUTOMATIC_IDS.optOut}${last.wamid}`, at: now }]
	})
	await writeWaiting(sql, accountId, confirmations)
	return new Set(asked.map(({ wamid }) => wamid))
}

/** Returns the present chat of a person who wrote. */
export function presentChat(written: Pick<Said, 'chat' | 'at'>, people: readonly SamePerson[]): string {
	return numbersOf(written, people).chat
}

/** Returns the present chat of a person who wrote, and former numbers that no other person has. */
function numbersOf(
	{ chat, at }: Pick<Said, 'chat' | 'at'>,
	people: readonly SamePerson[],
): { chat: string; others: string[] } {
	let present = chat
	const others: string[] = []
	for (const { from, into, until = null } of people) {
		if (from !== present || (until !== null && at > until)) continue
		if (until === null) others.push(from)
		present = into
	}
	return { chat: present, others }
}

function saidBy({ chat, wamid, at, kind, body, payload, template }: NewInbound): Said {
	const texts = [body.text ?? '', payload ?? ''].filter((text) => text !== '')
	return { chat, wamid, at, texts, ...(kind === 'button' && { template }) }
}

function changedInto({ chat, wamid, at, value }: InboundMark): Said {
	return { chat, wamid, at, texts: [value] }
}

/** Returns the first intent among the texts; null without one. */
function firstIntent(texts: readonly string[], own: ReturnType<typeof stopPhrases>): Intent | null {
	return texts.map((text) => optOutIntent(text, own)).find((intent) => intent !== null) ?? null
}

/**
 * Returns true when the account lets the quick reply opt out. If its template is unknown, a quick reply of any template
 * matches.
 */
function isMarkedButton({ texts, template }: Said, { optOutButtons }: ChatSettings): boolean {
	if (template === undefined) return false
	return optOutButtons.some(
		(marked) =>
			(template === null || marked.template === template) && texts.some((text) => text.trim() === marked.text),
	)
}

const MAX_AGE_MS = 12 * HOUR_MS
