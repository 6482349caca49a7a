import { useDebouncedValue } from '@mantine/hooks'
import { CancelledError, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import type { Columns } from '#features/contacts/columns.ts'
import { sendingRules } from '#features/delivery/contract.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import type { PartIn, ResponseOut } from '#lib/endpoint.ts'
import { isWorkbookName } from '#lib/files/workbook-files.ts'
import { isolate } from '#lib/text/bidi.ts'
import { ApiError, call, messageOf } from '#lib/web/api.ts'
import { uploadTransport } from '#lib/web/files/upload.ts'
import { query, queryClient } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { scheduleDatetime, type CampaignFields } from '../fields/campaign-fields.ts'
import { TYPING_MS } from '../use-estimate.ts'

/** The contents of a file, and the cost of a campaign to it. */
export type FileAnalysis = ResponseOut<typeof campaignPreflight.audienceFile>

export interface AudienceFile {
	file: File | null
	analysis: FileAnalysis | undefined
	/** The columns that the user chose; null while the server's choice applies. */
	columns: Columns | null
	/** The reason why the file cannot be used. */
	error: string | null
	isReading: boolean
	/** The start of the campaign, when the account's frequency rule makes the recipients depend on it. */
	timing: Timing
	/** Share of the file that has been sent, from 0 to 1. */
	part: number
	choose: (file: File | null) => void
	refuse: () => void
	map: (columns: Columns) => void
	/** Resolves with the analysis of the chosen file, once it has been read. */
	read: () => Promise<FileAnalysis>
}

type Timing = Pick<PartIn<typeof campaignPreflight.audienceFile.body>, 'schedule' | 'scheduleDatetime'>

const timingOf = (opening: string | null): Timing =>
	opening === null ? {} : { schedule: 'later', scheduleDatetime: opening }

const WRONG_TYPE = 'Please upload a CSV or Excel file'
const isTable = ({ name, type }: File) => /\.csv$/i.test(name) || type === 'text/csv' || isWorkbookName(name)

/** Number of files chosen since the app was loaded. Analyses are cached, so a later form must not repeat the id of a file. */
let filesChosen = 0

interface Chosen {
	/** A number that distinguishes two files of the same name. */
	id: number
	file: File | null
	columns: Columns | null
}

/** Returns the file of a campaign. The server reads it again when a change of the form may change its recipients. */
export function useAudienceFile(fields: CampaignFields): AudienceFile {
	const { audienceType, templateId, dailyStart } = fields
	const headerFiles = fields.headerFiles?.set ? JSON.stringify(fields.headerFiles) : ''
	const scheduled = audienceType === 'file' ? scheduleDatetime(fields) : null
	const rules = useQuery({ ...query(sendingRules.rules), enabled: scheduled !== null })
	const opening = rules.isError || rules.data?.frequency ? scheduled : null
	const [settledOpening] = useDebouncedValue(opening, TYPING_MS)
	const [settledStart] = useDebouncedValue(dailyStart, TYPING_MS)
	const [{ id, file, columns }, setChosen] = useState<Chosen>({ id: 0, file: null, columns: null })
	const [wrongType, setWrongType] = useState(false)
	const [part, setPart] = useState(0)
	const readingFor = (at: string | null, start: string) => ({
		queryKey: [campaignPreflight.audienceFile.path, id, columns, templateId, at, start, headerFiles],
		queryFn: async ({ signal }: { signal: AbortSignal }) => {
			setPart(0)
			const body = {
				templateId,
				timezone: INDIAN_TIME_ZONE,
				...timingOf(at),
				...(start !== '' && { dailyStart: start }),
				...(headerFiles && { headerFiles }),
				...(columns && { columns: JSON.stringify(columns) }),
			}
			const transport = uploadTransport(setPart)
			return call(campaignPreflight.audienceFile, { body, files: { file }, signal, transport })
		},
		staleTime: Number.POSITIVE_INFINITY,
		retry: false,
	})
	const reading = useQuery({
		...readingFor(settledOpening, settledStart),
		enabled: file !== null && audienceType === 'file',
		// The last analysis of this file stays in view while it is read again.
		placeholderData: (known: FileAnalysis | undefined, before: { queryKey: readonly unknown[] } | undefined) =>
			before?.queryKey[1] === id ? known : undefined,
	})
	const choose = (next: File | null) => {
		const isWrong = next !== null && !isTable(next)
		setWrongType(isWrong)
		if (isWrong) briefToast.error(WRONG_TYPE)
		else if (next) briefToast.success(`File "${isolate(next.name)}" uploaded successfully`)
		setPart(0)
		filesChosen++
		setChosen({ id: filesChosen, file: isWrong ? null : next, columns: null })
	}
	return {
		file,
		columns,
		analysis: file ? reading.data : undefined,
		error: wrongType
			? WRONG_TYPE
			: file && reading.error
				? messageOf(reading.error, 'The file could not be read')
				: null,
		isReading: reading.isFetching,
		timing: timingOf(opening),
		part,
		choose,
		refuse: () => {
			setWrongType(true)
			briefToast.error(WRONG_TYPE)
		},
		read: () =>
			queryClient.fetchQuery(readingFor(opening, dailyStart)).catch((error: unknown) => {
				// A change of the form has cancelled the reading.
				throw error instanceof CancelledError ? new ApiError(0, '') : error
			}),
		map: (chosen) => setChosen({ id, file, columns: chosen }),
	}
}
