import { problemsOf } from '#lib/app-error.ts'
import { MAX_SAVED_REPLIES, tooLarge, TYPE_REFUSED } from './rules.ts'

/** Refusals of saved replies, and of files that replies have. */
export const problem = problemsOf({
	attachment_type_refused: { status: 400, text: TYPE_REFUSED },
	attachment_too_large: { status: 413, text: ({ maxBytes }: { maxBytes: number }) => tooLarge(maxBytes) },
	saved_reply_empty: { status: 400, text: 'Enter a text, or attach a file', field: 'text' },
	saved_reply_too_long: { status: 400, text: ({ reason }: { reason: string }) => reason, field: 'text' },
	saved_reply_name_taken: {
		status: 409,
		text: ({ shortcut }: { shortcut: string }) => `You have a saved reply "${shortcut}" already. Choose another name.`,
		field: 'shortcut',
	},
	saved_replies_full: {
		status: 409,
		text: `You have ${MAX_SAVED_REPLIES} saved replies, which is the most. Delete one first.`,
	},
})
