import * as z from 'zod/mini'
import { maxHeaderBytes } from '#features/templates/limits.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, OptionalId, RowId, Text, Time } from '#lib/fields.ts'
import { FileKind, MAX_ADDRESS_LENGTH, MAX_ZIP_MEGABYTES } from './rules.ts'

const BYTES_PER_MEGABYTE = 1024 * 1024

/** Header files for a campaign to come, at most one for each person. */
const FileSet = z.object({
	_id: RowId,
	kind: FileKind,
	createdAt: Time,
	files: z.int(),
	bytes: z.int(),
})
export type FileSet = z.output<typeof FileSet>

/** Files that were not taken, each with the reason. Only the first hundred are listed. */
const RefusedFiles = z.array(z.object({ name: z.string(), reason: z.string() }))

/** The address of a file, exactly as a list has it. */
const Address = Text(MAX_ADDRESS_LENGTH).check(z.regex(/^https:\/\//i, 'The address must begin with https://'))

const oneSet = { access: 'manager', params: z.object({ id: Id }) } as const

/** Calls about header files for each person, before their campaign is created. */
export const headerFiles = {
	create: endpoint('POST /api/header-files', {
		access: 'manager',
		body: z.object({ kind: FileKind }),
		response: z.object({ message: z.string(), set: FileSet }),
	}),
	/** Returns a set with the names of its files, so that an upload continues with those that are not there yet. */
	get: endpoint('GET /api/header-files/{id}', {
		...oneSet,
		response: z.object({ set: FileSet, names: z.array(z.string()) }),
	}),
	/** Adds one file. The same file again changes nothing; another file under the same name is refused. */
	add: endpoint('POST /api/header-files/{id}/file', {
		...oneSet,
		files: { file: { maxBytes: maxHeaderBytes('VIDEO') } },
		response: z.object({ message: z.string(), set: FileSet }),
	}),
	/** Adds the files of a zip. A zip may be sent again: files that are there already are not added twice. */
	addZip: endpoint('POST /api/header-files/{id}/zip', {
		...oneSet,
		effort: 'long',
		files: {
			file: {
				maxBytes: MAX_ZIP_MEGABYTES * BYTES_PER_MEGABYTE,
				types: ['application/zip', 'application/x-zip-compressed'],
				endings: ['.zip'],
				refusal: 'Please upload a ZIP file',
			},
		},
		response: z.object({
			message: z.string(),
			set: FileSet,
			added: z.int(),
			refusedCount: z.int(),
			refused: RefusedFiles,
		}),
	}),
	/** Fetches a file from its address and adds it. A refusal is recorded, so that the match of a campaign shows it. */
	addAddress: endpoint('POST /api/header-files/{id}/address', {
		...oneSet,
		body: z.object({ address: Address }),
		response: z.object({ message: z.string(), set: FileSet }),
	}),
	/** Forgets the refused addresses of a set, so that they are fetched again. */
	forgetRefused: endpoint('DELETE /api/header-files/{id}/refusals', { ...oneSet, response: Message }),
	/** Returns the content of a file of the set. */
	show: endpoint('GET /api/header-files/{id}/content', {
		...oneSet,
		query: z.object({ file: OptionalId }),
		response: { file: 'application/octet-stream' },
	}),
	remove: endpoint('DELETE /api/header-files/{id}', { ...oneSet, response: Message }),
}
