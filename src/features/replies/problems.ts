import { problemsOf } from '#lib/app-error.ts'
import { MAX_AUTOMATIC_REPLIES, MAX_SAVED_REPLIES, tooLarge, TYPE_REFUSED } from './rules.ts'

/** Refusals of saved and automatic replies, and of files that replies have. */
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
	automatic_replies_full: {
		status: 409,
		text: `You have ${MAX_AUTOMATIC_REPLIES} automatic replies, which is the most. Delete one first.`,
	},
	automatic_reply_exists: {
		status: 409,
		text: ({ name }: { name: string }) => `You have ${name} already. Edit it.`,
		field: 'kind',
	},
	automatic_phrase_missing: {
		status: 400,
		text: 'Enter at least one word that people may write',
		field: 'phrases',
	},
	automatic_phrase_invalid: {
		status: 400,
		text: ({ phrase }: { phrase: string }) =>
			`"${phrase}" has no letters or digits. Enter a word that people can type.`,
		field: 'phrases',
	},
	automatic_variable: {
		status: 400,
		text: 'An automatic reply has no variables. Remove the {{ }}.',
		field: 'text',
	},
})
