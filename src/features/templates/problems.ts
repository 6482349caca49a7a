import { problemsOf } from '#lib/app-error.ts'

interface Reason {
	reason: string
}

const HEADER_FILE = 'header_file'

/** Refusals of templates, by this product and by Meta. */
export const problem = problemsOf({
	template_invalid: {
		status: 400,
		text: ({ reason }: { reason: string; fields: Record<string, string> }) => reason,
		shows: ['fields'],
	},
	card_files_too_large: {
		status: 413,
		text: ({ reason }: { reason: string }) => reason,
		field: 'cards',
	},
	template_being_created: {
		status: 409,
		text: 'This template is being created already. Please look at the list in a minute.',
	},
	template_form_used: {
		status: 409,
		text: ({ name }: { name: string }) =>
			`This form has already created the template "${name}". To create another one, open the form again.`,
	},
	template_in_use: {
		status: 409,
		text: ({ campaign }: { campaign: string }) =>
			`The campaign "${campaign}" still has to send this template. Wait until it is completed, or cancel it, and then delete the template.`,
	},
	template_not_created: {
		status: 502,
		text: 'WhatsApp did not answer, and the template was not created. Please try again.',
	},
	template_not_confirmed: {
		status: 502,
		text: 'WhatsApp did not answer. Sync the templates in a few minutes: if this one is not in the list then, create it again.',
	},

	app_id_missing: {
		status: 400,
		text: 'A header with a file needs the App ID of your WhatsApp app. Please ask your administrator to add it to your credentials.',
		field: HEADER_FILE,
	},
	app_id_refused: {
		status: 400,
		text: 'WhatsApp does not accept the App ID of your account. Please ask your administrator to check it.',
		field: HEADER_FILE,
	},
	header_without_file: { status: 400, text: 'The header of this template has no file', field: HEADER_FILE },
	header_file_missing: {
		status: 400,
		text: ({ kind }: { kind: string }) => `Please upload a ${kind} for the header`,
		field: HEADER_FILE,
	},
	header_file_invalid: { status: 400, text: ({ reason }: Reason) => reason, field: HEADER_FILE },
	header_file_refused: { status: 400, text: ({ reason }: Reason) => reason, field: HEADER_FILE },
	header_file_not_uploaded: {
		status: 502,
		text: 'The file of the header could not be uploaded to WhatsApp. Please try again.',
		field: HEADER_FILE,
	},

	meta_busy: {
		status: 400,
		text: 'WhatsApp takes no more changes from your account for now. Please try again in an hour.',
	},
	meta_blocked: {
		status: 400,
		text: 'WhatsApp has blocked your account because of its policy. See WhatsApp Manager, or ask your administrator.',
	},
	meta_credentials_refused: {
		status: 400,
		text: 'WhatsApp does not accept the credentials of your account. Please ask your administrator to check them.',
	},
	/** Meta's own sentence; `title` is Meta's heading above it. */
	meta_refused: {
		status: 400,
		text: ({ reason }: { reason: string; field?: string | undefined; title?: string | undefined }) => reason,
		field: ({ field }) => field,
		shows: ['title'],
	},
	meta_failed: { status: 502, text: ({ task }: { task: string }) => `Failed to ${task}` },
})
