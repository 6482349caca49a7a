import { problemsOf } from '#lib/app-error.ts'

/** Refusals of downloads of an account's data. */
export const problem = problemsOf({
	data_of_owner: {
		status: 403,
		text: 'Only the owner can download the data of this account, in Settings. Ask them for the file.',
	},
	data_download_running: {
		status: 429,
		text: (_facts: { waitSeconds: number }) =>
			'All data of this account is being downloaded already. Please wait until that is done.',
	},
})
