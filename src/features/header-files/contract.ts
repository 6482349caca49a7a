import * as z from 'zod/mini'
import { endpoint } from '#lib/endpoint.ts'
import { Id, Message, OptionalId, RowId, Time } from '#lib/fields.ts'
import { FileKind, MAX_ZIP_MEGABYTES } from './rules.ts'

const BYTES_PER_MEGABYTE = 1024 * 1024
/** Largest header file of any kind, in bytes; `HEADER_FILE_LIMITS` of templates has the limit of each kind. */
const MAX_FILE_BYTES = 100 * BYTES_PER_MEGABYTE

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

const oneSet = { access: 'user', params: z.object({ id: Id }) } as const

/** Calls about header files for each person, before their campaign is created. */
export const headerFiles = {
	create: endpoint('POST /api/header-files', {
		access: 'user',
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
		files: { file: { maxBytes: MAX_FILE_BYTES } },
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
	/** Returns the content of a file of the set. */
	show: endpoint('GET /api/header-files/{id}/content', {
		...oneSet,
		query: z.object({ file: OptionalId }),
		response: { file: 'application/octet-stream' },
	}),
	remove: endpoint('DELETE /api/header-files/{id}', { ...oneSet, response: Message }),
}
