import { lineOf, optOutIntent } from '#features/chats/rules.ts'
import { applyOptOuts } from '#features/contacts/server/opt-outs.ts'
import type { OwnerId, Sql } from '#lib/server/db.ts'
import { addJobs } from '#lib/server/jobs.ts'
import { sendWaitingJob } from '../sending/send-waiting.ts'
import { writeOutgoing } from '../sending/send.ts'
import { findSettings } from '../settings-queries.ts'
import type { InboundMessage } from './message-reader.ts'

/**
 * Applies messages that ask to opt out of marketing or back in, and confirms each change once if the account's settings ask
 * for it, by a chat message that a worker sends. The latest request counts, in whatever order they arrive.
 */
export async function changeOptOuts(
	sql: Sql,
	owner: OwnerId,
	{ messages, now }: { messages: readonly InboundMessage[]; now: Date },
): Promise<void> {
	const asked = messages.flatMap((message) => {
		const intent = optOutIntent(message.body.text ?? '', message.payload)
		return intent ? [{ ...message, optedOut: intent === 'stop' }] : []
	})
	if (asked.length === 0) return
	const changed = await applyOptOuts(
		sql,
		owner,
		asked.map(({ chat, optedOut, at }) => ({ number: chat, optedOut, because: 'reply' as const, at })),
	)
	if (changed.length === 0) return
	const { confirms, optOutText, optInText } = await findSettings(sql, owner)
	if (!confirms) return
	for (const { number, optedOut } of changed) {
		const last = asked.findLast(({ chat }) => chat === number)
		// A reply to what was said long ago, and arrives only now, would be outside the window.
		if (!last || now.getTime() - last.at.getTime() > MAX_AGE_MS) continue
		const text = optedOut ? optOutText : optInText
		const requestId = `opt-out:${last.wamid}`
		const line = lineOf({ kind: 'text', text })
		const message = { chat: number, kind: 'text', body: { text }, line, requestId, isClaimed: false }
		const row = await writeOutgoing(sql, owner, message)
		if (row) await addJobs(sql, sendWaitingJob, [{ owner, id: row.id }])
	}
}

const MAX_AGE_MS = 12 * 60 * 60 * 1000
