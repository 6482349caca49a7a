import * as z from 'zod/mini'
import { Id, JsonText, Text } from '#lib/fields.ts'

/** The choice of a header file for each person. */
export const FileChoice = z.object({
	/** The set of files. */
	set: Id,
	/**
	 * `column` chooses a person's file by its name, which the column or custom field `tag` holds, with or without the extension
	 * and in any case, or by its https address there. `number` chooses the file whose name contains the person's number.
	 */
	by: z.enum(['column', 'number']),
	tag: z.optional(Text(200)),
	/** People without a file get no message, or the campaign's own file. */
	missing: z.enum(['leave-out', 'campaign-file']),
})
export type FileChoice = z.output<typeof FileChoice>

/** The choice before the first file. */
export const NOTHING_CHOSEN: FileChoice = { set: '', by: 'number', missing: 'leave-out' }

/** A `FileChoice` as JSON, in a form. */
export const FileChoiceText = z.optional(JsonText(FileChoice, 'Header files must be JSON', 2000))

/** A person of an order with the file that was found. */
const MatchedPerson = z.object({
	state: z.enum(['matched', 'missing', 'doubtful']),
	number: z.string(),
	name: z.nullable(z.string()),
	/** The text that was looked for; null when files are chosen by number. */
	wanted: z.nullable(z.string()),
	file: z.nullable(z.object({ _id: z.string(), name: z.string() })),
	/** The reason why the file could not be fetched from its address; null for any other person. */
	reason: z.nullable(z.string()),
})

/** The files of an order's people. People who opted out are not counted. */
export const FileMatch = z.object({
	people: z.int(),
	matched: z.int(),
	missing: z.int(),
	/** People for whom several files were found: none of them is sent. They are among `missing`. */
	doubtful: z.int(),
	/** People whose file could not be fetched from its address. They are among `missing`. */
	refused: z.int(),
	/**
	 * Number of addresses from which no file has been fetched yet, at most that of a set's files, and the first of them. Their
	 * people are among `missing`.
	 */
	unfetched: z.int(),
	addresses: z.array(z.string()),
	/** People who get the same file as another person. */
	shared: z.int(),
	/** Files that no person gets. */
	unused: z.int(),
	/** The first people of each state. */
	rows: z.array(MatchedPerson),
})
export type FileMatch = z.output<typeof FileMatch>
