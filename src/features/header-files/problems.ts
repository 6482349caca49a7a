import { problemsOf, type AppError } from '#lib/app-error.ts'
import { formatCount } from '#lib/numbers.ts'
import { MAX_FILES, MAX_UNPACKED_GIGABYTES } from './rules.ts'

interface Reason {
	reason: string
}

/** Refusals of header files for each person. */
export const problem = problemsOf({
	person_file_missing: { status: 400, text: 'Please choose a file', field: 'file' },
	person_file_refused: { status: 400, text: ({ reason }: Reason) => reason, field: 'file' },
	person_files_full: {
		status: 409,
		text: `There are ${formatCount(MAX_FILES)} files already, which is the most for one campaign.`,
		field: 'file',
	},
	person_files_in_use: {
		status: 409,
		text: 'A campaign that is not completed sends these files. They are deleted 30 days after they were added.',
	},
	files_of_other_kind: {
		status: 400,
		text: ({ kind }: { kind: string }) =>
			`These files are for a header of the kind ${kind.toLowerCase()}, which the template does not have. Please upload files for its own kind.`,
		field: 'headerFiles',
	},
	file_column_missing: {
		status: 400,
		text: 'Please choose the column or custom field that holds the file names',
		field: 'headerFiles',
	},
	zip_missing: { status: 400, text: 'Please choose a ZIP file', field: 'file' },
	zip_unreadable: {
		status: 400,
		text: 'This ZIP file is damaged or is not a ZIP file. Please create it again.',
		field: 'file',
	},
	zip_encrypted: {
		status: 400,
		text: 'This ZIP file has a password. Please create it again without one.',
		field: 'file',
	},
	zip_unsafe: {
		status: 400,
		text: ({ name }: { name: string }) =>
			`The ZIP file contains a path that leads out of it: ${name}. Please create it again from a folder.`,
		field: 'file',
	},
	zip_too_many: {
		status: 400,
		text: ({ entries }: { entries: number }) =>
			`The ZIP file contains ${formatCount(entries)} files. At most ${formatCount(MAX_FILES)} are allowed.`,
		field: 'file',
	},
	zip_too_large: {
		status: 400,
		text: `The files in the ZIP have more than ${MAX_UNPACKED_GIGABYTES} GB when unpacked. Please create several ZIP files.`,
		field: 'file',
	},
	zip_swollen: {
		status: 400,
		text: ({ name }: { name: string }) =>
			`The file ${name} in the ZIP is more than 200 times as large as packed, which no document is. Please remove it.`,
		field: 'file',
	},
})

/** Returns the refusal of a file for this reason. */
export function refusal(reason: string): AppError {
	return problem('person_file_refused', { reason })
}
