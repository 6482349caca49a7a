import { recordWhatsappIds } from '#features/contacts/server/opt-outs/opt-outs.ts'
import { optOutNumbers } from '#features/contacts/server/service.ts'
import { dialledForm, isUserId } from '#lib/phone.ts'
import { transaction, type Db, type AccountId } from '#lib/server/db.ts'
import type { Outcome } from './response-classifier.ts'

/** Records the opt-outs in Meta's answers, and the WhatsApp ids of numbers that Meta knows under another id. */
export async function noteRecipients(
	db: Db,
	accountId: AccountId,
	answers: readonly { number: string; outcome: Outcome }[],
): Promise<void> {
	const optedOut: string[] = []
	const ids: { number: string; waId: string }[] = []
	for (const { number, outcome } of answers) {
		if (outcome.kind === 'failed' && outcome.optOut) optedOut.push(number)
		const waId = outcome.kind === 'accepted' && outcome.waId !== null ? dialledForm(outcome.waId) : number
		if (waId !== number && !isUserId(number)) ids.push({ number, waId })
	}
	if (optedOut.length + ids.length === 0) return
	await transaction(
		db,
		async (sql) => {
			await recordWhatsappIds(sql, accountId, ids)
			await optOutNumbers(sql, accountId, { numbers: optedOut, because: 'network' })
		},
		{ isByKey: true },
	)
}
