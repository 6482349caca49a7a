import type { PlantedFault } from './fault.ts'

const delivery = 'src/features/delivery/server'
const claims = `${delivery}/claims/claim-queries.ts`
const headerFiles = 'src/features/header-files/server'
const upload = `${headerFiles}/upload/upload.ts`
const uploadTest = `${headerFiles}/upload/upload.test.ts`
const setsTest = `${headerFiles}/sets/sets.test.ts`

/** Faults of header files of people, which let a person get another file, another number's file, or no message. */
export const FILE_FAULTS: readonly PlantedFault[] = [
	{
		name: 'messages are claimed before their files are uploaded',
		file: claims,
		text: 'least(total_count, files_through) as total_count',
		replacement: 'total_count',
		tests: [uploadTest],
	},
	{
		name: 'retries are claimed before their files are uploaded again',
		file: claims,
		text: 'and u.seq <= coalesce(c.files_through, u.seq)',
		replacement: '',
		tests: [uploadTest],
	},
	{
		name: 'a campaign takes files that an earlier number has uploaded',
		file: upload,
		text: '(state.sendingNumberId ?? phoneNumberId) === phoneNumberId',
		replacement: 'true',
		tests: [uploadTest],
	},
	{
		name: 'messages keep the mark of the upload when they get new numbers',
		file: `${delivery}/orders/new-message-queries.ts`,
		text: 'files_through = case when files_through is not null then 0 end',
		replacement: 'files_through = files_through',
		tests: [uploadTest],
	},
	{
		name: 'the mark of the upload moves past messages whose files are not uploaded',
		file: upload,
		text: 'messages.length < CHUNK_MESSAGES',
		replacement: 'messages.length <= CHUNK_MESSAGES',
		tests: [uploadTest],
	},
	{
		name: 'messages name a file that is being deleted at Meta',
		file: upload,
		text: 'if (!(await queries.lockMedia(sql, accountId, { phoneNumberId, media }))) return false',
		replacement: '',
		tests: [uploadTest],
	},
	{
		name: 'a file is found by its name although an address names it',
		file: `${headerFiles}/sets/set-queries.ts`,
		text: 'lower(normalize(${addressKey ?? name}::text, NFC))',
		replacement: 'lower(normalize(${name}::text, NFC))',
		tests: [setsTest],
	},
	{
		name: 'a redirect leads to an address within the private network',
		file: 'src/lib/server/http/public-request.ts',
		text: 'if (!isPublicUrl(url, { isAnywhere, own })) throw new NotPublic(`${url} is no public https: address`)',
		replacement: '',
		tests: ['src/lib/server/http/public-request.test.ts'],
	},
]
