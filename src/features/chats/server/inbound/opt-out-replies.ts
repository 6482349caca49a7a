import type { ChatSettings } from '#features/chats/contract.ts'
import { lineOf } from '#features/chats/rules.ts'
import { applyOptOuts } from '#features/contacts/server/opt-outs/opt-outs.ts'
import type { AccountId, Sql } from '#lib/server/db.ts'
import { addJobs } from '#lib/server/jobs/jobs.ts'
import { sendWaitingJob } from '../sending/send-waiting.ts'
import { writeOutgoing } from '../sending/send.ts'
import { findSettings } from '../settings-queries.ts'
import type { NewInbound } from './inbound-queries.ts'
import type { InboundMark } from './message-reader.ts'
import { optOutIntent, stopPhrases, type Intent } from './opt-out-intent.ts'

/** What a person wrote or tapped, or changed an earlier message into. */
interface Said {
	chat: string
	wamid: string
	at: Date
	texts: readonly string[]
	/** Of a tapped quick reply, the name of its template; null when that is not known. Undefined for anything else. */
	template?: string | null
}

/**
 * Applies messages and edits that ask to opt out of marketing or back in, and confirms each change once if the account's
 * settings ask for it, by a chat message that a worker sends. The latest request counts, in whatever order they arrive.
 */
export async function changeOptOuts(
	sql: Sql,
	accountId: AccountId,
	{ messages, marks, now }: { messages: readonly NewInbound[]; marks: readonly InboundMark[]; now: Date },
): Promise<void> {
	const said = [...messages.map(saidBy), ...marks.filter(({ kind }) => kind === 'edit').map(changedInto)]
	if (said.length === 0) return
	const settings = await findSettings(sql, accountId)
	const own = stopPhrases(settings.optOutWords)
	const asked = said.flatMap((message) => {
		const isMarked = isMarkedButton(message, settings)
		const intent: Intent | null = isMarked ? 'stop' : firstIntent(message.texts, own)
		return intent ? [{ ...message, optedOut: intent === 'stop' }] : []
	})
	if (asked.length === 0) return
	const changed = await applyOptOuts(
		sql,
		accountId,
		asked.map(({ chat, optedOut, at }) => ({ number: chat, optedOut, because: 'reply' as const, at })),
	)
	if (changed.length === 0 || !settings.confirms) return
	for (const { number, optedOut } of changed) {
		const last = asked.findLast(({ chat }) => chat === number)
		// A reply to what was said long ago, and arrives only now, would be outside the window.
		if (!last || now.getTime() - last.at.getTime() > MAX_AGE_MS) continue
		const text = optedOut ? settings.optOutText : settings.optInText
		const requestId = `opt-out:${last.wamid}`
		const line = lineOf({ kind: 'text', text })
		const message = { chat: number, kind: 'text', body: { text }, line, requestId, isClaimed: false }
		const row = await writeOutgoing(sql, accountId, message)
		if (row) await addJobs(sql, sendWaitingJob, [{ accountId, id: row.id }])
	}
}

function saidBy({ chat, wamid, at, kind, body, payload, template }: NewInbound): Said {
	const texts = [body.text ?? '', payload ?? ''].filter((text) => text !== '')
	return { chat, wamid, at, texts, ...(kind === 'button' && { template }) }
}

function changedInto({ chat, wamid, at, value }: InboundMark): Said {
	return { chat, wamid, at, texts: [value] }
}

/** Returns what the first of the texts that asks for something asks for. */
function firstIntent(texts: readonly string[], own: ReturnType<typeof stopPhrases>): Intent | null {
	return texts.map((text) => optOutIntent(text, own)).find((intent) => intent !== null) ?? null
}

/** Tells whether the account marked the quick reply. Where its template is not known, one of any template counts. */
function isMarkedButton({ texts, template }: Said, { optOutButtons }: ChatSettings): boolean {
	if (template === undefined) return false
	return optOutButtons.some(
		(marked) =>
			(template === null || marked.template === template) && texts.some((text) => text.trim() === marked.text),
	)
}

const MAX_AGE_MS = 12 * 60 * 60 * 1000
