import { plural } from '#lib/numbers.ts'
import type { HeldCounts } from '../contract.ts'

/** Returns the counts in words, such as "1 contact, 3 chat messages"; empty when all are zero. */
export function wordsFor({ contacts, consents, chatMessages, files, campaignMessages, notes }: HeldCounts): string {
	const parts: [number, string][] = [
		[contacts, 'contact'],
		[consents, 'consent'],
		[chatMessages, 'chat message'],
		[files, 'file'],
		[campaignMessages, 'campaign message'],
		[notes, 'note'],
	]
	return parts.flatMap(([count, word]) => (count > 0 ? plural(count, word) : [])).join(', ')
}
