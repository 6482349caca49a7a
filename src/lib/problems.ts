import { problemsOf, type AppError } from './app-error.ts'
import { formatCount, plural } from './numbers.ts'

const NOT_AN_OBJECT = 'The body must be a JSON object, sent as application/json'

interface Limit {
	most: number
}

/** A sentence of a contract or of a feature's rules, which the refusal repeats. */
interface Reason {
	reason: string
}

/** Refusals that features share: of HTTP, of sessions, of stored files, and of tables that are read from files. */
export const problem = problemsOf({
	not_found: { status: 404, text: ({ thing }: { thing: string }) => `${thing} not found` },
	limit_reached: {
		status: 409,
		text: ({ most }: { most: string }) =>
			`Your account has ${most}, which is the most it may have. Delete one that you no longer use.`,
	},
	too_many_attempts: {
		status: 429,
		text: ({ waitSeconds }: { waitSeconds: number }) =>
			`Too many attempts. Please try again in ${plural(waitSeconds, 'second')}.`,
	},
	rate_limited: { status: 429, text: 'Too many attempts. Please try again in a minute.' },
	account_busy: {
		status: 429,
		text: (_facts: { waitSeconds: number }) =>
			'Your account has too much under way at once. Please try again in a few seconds.',
	},

	unauthenticated: { status: 401, text: 'Please login to continue' },
	api_key_missing: { status: 401, text: 'Send an API key' },
	forbidden: { status: 403, text: 'You are not allowed to do this' },
	second_factor_required: {
		status: 403,
		text: (_facts: { setUp: string }) => 'Set up your two-step login first',
		shows: ['setUp'],
	},
	scope_missing: {
		status: 403,
		text: ({ scope }: { scope: string }) => `This API key was made without "${scope}"`,
		shows: ['scope'],
	},

	request_aborted: { status: 408, text: 'This request was broken off' },
	unreadable: { status: 400, text: 'This request could not be read' },
	address_unreadable: { status: 400, text: 'This address could not be read' },
	unsupported_media_type: { status: 415, text: NOT_AN_OBJECT },
	body_not_an_object: { status: 400, text: NOT_AN_OBJECT },
	too_large: {
		status: 413,
		text: (_limits: { maxNames?: number | undefined; maxValues?: number | undefined }) => 'This request is too large',
		shows: ['maxNames', 'maxValues'],
	},
	form_unreadable: { status: 400, text: 'This form could not be read' },

	file_unexpected: { status: 400, text: ({ field }: { field: string }) => `No file is expected in "${field}"` },
	file_type_unsupported: {
		status: 415,
		text: ({ type }: { type: string }) => `Files of type ${type} are not accepted here`,
	},
	file_type_refused: { status: 400, text: ({ reason }: Reason) => reason },
	file_too_large: {
		status: 413,
		text: ({ maxMegabytes }: { maxMegabytes: number }) => `File size exceeds ${maxMegabytes}MB limit`,
	},
	file_too_large_here: { status: 413, text: ({ reason }: Reason) => reason },
	phone_number_invalid: { status: 400, text: 'Invalid phone number format' },
	file_not_found: { status: 404, text: 'File not found' },
	storage_full: {
		status: 413,
		text: ({ maxMegabytes }: { maxMegabytes: number }) =>
			`There is no room for this file: your account may keep ${formatCount(maxMegabytes)} MB of files in all. ` +
			'Use a smaller file, or ask your administrator for more storage.',
	},
	disk_full: {
		status: 503,
		text:
			'The server’s disk is full, so this was not saved. What was saved before is safe. ' +
			'Please tell your administrator, and try again when there is room.',
	},

	file_empty: { status: 400, text: 'This file is empty' },
	csv_is_zip: {
		status: 400,
		text: 'This is an Excel or zip file. Rename it to end in .xlsx and choose it again',
	},
	csv_is_old_excel: { status: 400, text: 'This is an old Excel file. Save it as .xlsx or .csv' },
	csv_is_other_file: { status: 400, text: 'This is not a CSV file' },
	csv_quote_unclosed: {
		status: 400,
		text: ({ row }: { row: number }) => `A quote that opens in row ${row} is never closed`,
	},
	csv_row_too_long: {
		status: 400,
		text: ({ row, most }: { row: number } & Limit) => `Row ${row} has more than ${formatCount(most)} characters`,
	},

	workbook_missing: { status: 400, text: 'Please select an Excel file' },
	workbook_unreadable: {
		status: 400,
		text: 'This is not an Excel file that can be read: save it as .xlsx or .csv and try again',
	},
	workbook_protected: {
		status: 400,
		text: 'This is an old or protected Excel file: open it in Excel and save it as .xlsx without a password',
	},
	workbook_too_slow: { status: 400, text: 'This Excel file takes too long to read: save it as .csv instead' },
	workbook_too_large: {
		status: 400,
		text: 'This Excel file is too large when unpacked: save it as .csv instead',
	},
	workbook_empty: { status: 400, text: 'This Excel file is empty' },
	workbook_shows_nothing: {
		status: 400,
		text: 'This Excel file shows no text, number or date. Hidden sheets, pictures, errors and formulas without a result are not read.',
	},
	workbook_too_wide: {
		status: 400,
		text: ({ most }: Limit) => `This Excel file has more than ${formatCount(most)} columns`,
	},
	workbook_too_many_rows: {
		status: 400,
		text: ({ most }: Limit) => `An Excel file may have at most ${formatCount(most)} rows: save it as .csv instead`,
	},
	workbook_too_many_characters: {
		status: 400,
		text: ({ most }: Limit) =>
			`This Excel file has more than ${formatCount(most)} characters: leave out columns or rows that are not needed`,
	},
	workbook_part_too_long: {
		status: 400,
		text: ({ part, most }: { part: 'cell' | 'row' } & Limit) =>
			`A ${part} of this Excel file has more than ${formatCount(most)} characters: shorten it and try again`,
	},
})

export function unauthenticated(): AppError {
	return problem('unauthenticated')
}

export function notFound(thing: string): AppError {
	return problem('not_found', { thing })
}

/** Returns the 429 for an attempt that comes `waitSeconds` too early. */
export function tooManyAttempts(waitSeconds: number): AppError {
	return problem('too_many_attempts', { waitSeconds })
}

/** Returns the 409 for an account's full list; `most` names the limit, as in "2,000 contact groups". */
export function tooMany(most: string): AppError {
	return problem('limit_reached', { most })
}
