import { problemsOf } from '#lib/app-error.ts'

/** Errors about segments, recipient files and the values in messages. */
export const problem = problemsOf({
	segment_taken: { status: 409, text: 'There is a segment of this name already', field: 'name' },
	segment_rule_invalid: {
		status: 400,
		text: ({ place, reason }: { place: number; reason: string }) => `Rule ${place}: ${reason}`,
	},
	segment_too_slow: { status: 503, text: 'Counting took too long. Try again later, or with fewer rules.' },
	tag_gone: {
		status: 409,
		text: ({ tag }: { tag: string }) => `Contacts have no {{${tag}}} any more. Choose another value, then send again.`,
	},
	recipient_file_missing: { status: 400, text: 'Please upload a contact file' },
})
