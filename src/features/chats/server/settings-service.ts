import { templateTitle } from '#features/templates/template-words.ts'
import type { Db, AccountId, Sql } from '#lib/server/db.ts'
import { InvalidInput } from '#lib/server/errors.ts'
import { distinctTexts } from '#lib/text/words.ts'
import type { ChatSettings, ChatSettingsBody, QuickReply } from '../contract.ts'
import { stopWordProblem } from './inbound/opt-out-intent.ts'
import { findSettings, listQuickReplies, upsertSettings } from './settings-queries.ts'

/** Saves the settings. Throws a 400 for everyday words, and for quick replies that no template of the account has. */
export async function saveSettings(db: Db, accountId: AccountId, body: ChatSettingsBody): Promise<ChatSettings> {
	const optOutWords = body.optOutWords && distinctTexts(body.optOutWords)
	const wordProblem = optOutWords?.map(stopWordProblem).find((problem) => problem !== null)
	if (wordProblem) throw refused('optOutWords', wordProblem)
	const optOutButtons = body.optOutButtons && (await checkOptOutButtons(db, accountId, body.optOutButtons))
	return upsertSettings(db, accountId, { ...body, optOutWords, optOutButtons })
}

/**
 * Returns the buttons without duplicates. Throws a 400 for a button that no template has; a button in the stored
 * settings remains valid after its template was deleted.
 */
async function checkOptOutButtons(
	sql: Sql,
	accountId: AccountId,
	buttons: readonly QuickReply[],
): Promise<QuickReply[]> {
	const unique = [...new Map(buttons.map((button) => [keyOf(button), button])).values()]
	if (unique.length === 0) return []
	const { optOutButtons: marked } = await findSettings(sql, accountId)
	const known = new Set([...marked, ...(await listQuickReplies(sql, accountId))].map(keyOf))
	const stranger = unique.find((button) => !known.has(keyOf(button)))
	if (!stranger) return unique
	const { text, template } = stranger
	throw refused(
		'optOutButtons',
		`Your template "${templateTitle(template)}" has no quick reply "${text}". Choose one from the list.`,
	)
}

function keyOf({ template, text }: QuickReply): string {
	return JSON.stringify([template, text])
}

function refused(field: keyof ChatSettings, message: string): InvalidInput {
	return new InvalidInput(message, [{ path: [field], message }])
}
