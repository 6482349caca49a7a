import { Anchor, Box, Button, Group } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Columns } from '#features/contacts/columns.ts'
import { contacts } from '#features/contacts/contract.ts'
import { WORKBOOK_TYPES } from '#lib/files/workbook-files.ts'
import { call } from '#lib/web/api.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { FileDrop } from '#lib/web/ui/form/file-drop.tsx'
import { createGroup } from '../new-group.ts'
import { HiddenParts, ColumnChoice } from '../parts.tsx'
import type { Summary } from './csv/csv-messages.ts'
import { FurtherColumns, useFurtherColumns } from './further-columns.tsx'
import { useUploadOptions, type Asked } from './upload-options.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { useCsvFile, type CsvFile } from './use-csv-file.ts'
import { useMappingDraft } from './use-mapping-draft.ts'
import { placesOf, useUpload } from './use-upload.ts'

/** Loaded while the rows are being sent. */
const CsvPreview = lazy(async () => ({ default: (await import('./csv-preview.tsx')).CsvPreview }))
const UploadResult = lazy(async () => ({ default: (await import('./upload-result.tsx')).UploadResult }))

const REQUIRED = ['firstName', 'number'] as const
const NO_CONTACTS = 'No valid contacts found in CSV'

interface BulkUploadProps {
	/** Called with true while a file is prepared or uploaded, and with false before and after. */
	onWork: (isWorking: boolean) => void
}

export function BulkUpload({ onWork }: BulkUploadProps) {
	const csv = useCsvFile()
	const { upload, given, ...control } = useUpload()
	const draft = useMappingDraft(csv)
	const [isMissing, setMissing] = useState(false)
	const summary = csv.chosen?.summary
	const isBusy = upload !== null && ['sending', 'paused', 'lost'].includes(upload.phase)
	useReport(isBusy || (csv.chosen !== null && upload === null), onWork)

	const choose = (file: File | null) => {
		setMissing(false)
		control.forget()
		csv.choose(file)
	}
	const further = useFurtherColumns(summary)
	const begin = async ({ groupOf, ...asked }: Asked) => {
		if (!summary) return
		const [retained, reader] = [await further.prepare(), csv.reader()]
		await csv.checked()
		const { total } = await reader.keep(placesOf(retained))
		if (total === 0) return briefToast.error(NO_CONTACTS)
		control.start({ ...asked, retained, reader, total, group: await groupOf() })
		draft.forget()
	}
	const options = useUploadOptions({ group: draft.group, setGroup: draft.setGroup, begin })
	const submit = useAfterReading(csv.isReading, () => {
		if (!csv.chosen) {
			setMissing(true)
			return briefToast.error('Please select a CSV file')
		}
		if (!summary || (summary.total === 0 && !csv.chosen.isChecking)) return briefToast.error(NO_CONTACTS)
		options.submit()
	})

	return (
		<div className="stack">
			<UploadGuard isBusy={isBusy} corrected={upload ? 0 : (summary?.corrected ?? 0)} />
			{draft.isRestored && !upload && <RestoredMapping {...draft} />}
			<SampleCsv />
			<FileDrop
				label="Drop a CSV or Excel file here or click to choose"
				hint="CSV with up to 20,00,000 rows, or Excel (.xlsx) with up to 2,00,000"
				accept={{ 'text/csv': ['.csv'], ...WORKBOOK_TYPES }}
				file={csv.chosen?.file ?? null}
				onFile={choose}
				onReject={() => briefToast.error('Please select a CSV file')}
				disabled={isBusy}
				{...errorOf(isMissing ? 'Please select a CSV file' : csv.chosen?.error)}
			/>
			<ReadingStatus isReading={csv.isReading} />
			{summary && !upload && <FileContents {...{ csv, summary, further }} onColumns={draft.setColumns} />}
			{upload && isBusy && <UploadProgress upload={upload} {...control} />}
			{upload && given && !isBusy && (
				<Suspense>
					<UploadResult
						upload={upload}
						summary={summary ?? null}
						chosen={given}
						reader={csv.reader}
						onNewGroup={async (name) => control.start({ ...given, update: true, group: await createGroup(name) })}
						onAnother={() => choose(null)}
					/>
				</Suspense>
			)}
			{!upload && options.fields}
			{!upload && <StartUpload isBusy={csv.isReading || options.busy} onStart={submit} />}
		</div>
	)
}

/** Returns a function that runs `act`, after the reading of the file when one is in progress. */
function useAfterReading(isReading: boolean, act: () => void): () => void {
	const isAsked = useRef(false)
	const run = useEffectEvent(act)
	useEffect(() => {
		if (isReading || !isAsked.current) return
		isAsked.current = false
		run()
	}, [isReading])
	return () => {
		if (isReading) isAsked.current = true
		else act()
	}
}

function useReport(isWorking: boolean, onWork: BulkUploadProps['onWork']): void {
	useEffect(() => onWork(isWorking), [isWorking, onWork])
}

interface FileContentsProps {
	csv: CsvFile
	summary: Summary
	further: ReturnType<typeof useFurtherColumns>
	onColumns: (columns: Columns) => void
}

/** Shows the columns of the file and the result for each row. */
function FileContents({ csv, summary, further, onColumns }: FileContentsProps) {
	return (
		<>
			{csv.chosen && (
				<HiddenParts
					hidden={csv.chosen.hidden}
					withHidden={csv.chosen.withHidden}
					onChange={(withHidden) => csv.choose(csv.chosen?.file ?? null, withHidden)}
					disabled={csv.isReading}
				/>
			)}
			<ColumnChoice file={summary} required={REQUIRED} onChange={onColumns} disabled={csv.isReading} />
			<FurtherColumns further={further} disabled={csv.isReading} />
			<Suspense>
				<CsvPreview
					summary={summary}
					isChecking={csv.chosen?.isChecking ?? false}
					correct={csv.correct}
					include={csv.include}
					nameByNumber={csv.nameByNumber}
				/>
			</Suspense>
		</>
	)
}

function UploadGuard({ isBusy, corrected }: { isBusy: boolean; corrected: number }) {
	if (isBusy)
		return (
			<LeaveGuard dirty title="Stop this upload?" confirm="Stop and leave" dismiss="Keep uploading">
				Customers added so far are kept. The other rows are not uploaded.
			</LeaveGuard>
		)
	return (
		<LeaveGuard dirty={corrected > 0}>
			The rows that you corrected here are not uploaded yet and will be lost. Your file does not change.
		</LeaveGuard>
	)
}

/** Renders the status after a delay, because re-reading a corrected row is fast. */
function ReadingStatus({ isReading }: { isReading: boolean }) {
	return useDelayed(isReading) && <p role="status">Reading the file...</p>
}

function StartUpload({ isBusy, onStart }: { isBusy: boolean; onStart: () => void }) {
	return (
		<Group>
			<Button leftSection={<IconUpload size={16} aria-hidden />} onClick={onStart} aria-busy={isBusy}>
				Upload Contacts
			</Button>
		</Group>
	)
}

function RestoredMapping({ missingFile, forget }: Pick<ReturnType<typeof useMappingDraft>, 'missingFile' | 'forget'>) {
	return (
		<Notice tone="info" role="status">
			<p>
				Your draft has been restored. {missingFile && `Choose ${missingFile} again: its columns are kept.`}{' '}
				<Anchor component="button" type="button" inherit underline="always" onClick={forget}>
					Start over
				</Anchor>
			</p>
		</Notice>
	)
}

function errorOf(text: string | null | undefined): { error?: string } {
	return text ? { error: text } : {}
}

/** Renders the button that downloads a sample file with three columns. */
function SampleCsv() {
	return (
		<Group gap={12} justify="space-between">
			<Box component="p" m={0} c="dimmed">
				Your file needs a name and a mobile number; column titles do not matter. Other columns can become fields or
				tags.
			</Box>
			<DownloadButton
				variant="subtle"
				read={() => call(contacts.sampleCsv)}
				fileName="sample_contacts.csv"
				failed={(error) => briefToast.failure(error, 'Failed to download sample CSV')}
			>
				Download Sample CSV
			</DownloadButton>
		</Group>
	)
}
