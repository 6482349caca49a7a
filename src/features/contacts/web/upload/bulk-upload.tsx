import { Anchor, Box, Button, Group } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import { contacts } from '#features/contacts/contract.ts'
import { Consent } from '#features/contacts/form-fields.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { FileDrop } from '#lib/web/ui/form/file-drop.tsx'
import { WORKBOOK_TYPES } from '#lib/workbook-files.ts'
import { ConsentFields } from '../consent-fields.tsx'
import { GroupSelect, MissingGroups } from '../group-select.tsx'
import { ColumnChoice } from '../parts.tsx'
import { CsvPreview } from './csv-preview.tsx'
import type { Summary } from './csv/csv-messages.ts'
import { UploadProgress } from './upload-progress.tsx'
import { UploadResult } from './upload-result.tsx'
import { useCsvFile } from './use-csv-file.ts'
import { useMappingDraft } from './use-mapping-draft.ts'
import { useUpload } from './use-upload.ts'

const REQUIRED = ['firstName', 'number'] as const
const ConsentOfAll = z.object({ consent: z.nullable(Consent) })
const NOT_NOTED: z.output<typeof ConsentOfAll> = { consent: null }

export function BulkUpload() {
	const csv = useCsvFile()
	const { upload, ...control } = useUpload()
	const draft = useMappingDraft(csv)
	const { group } = draft
	const [isMissing, setMissing] = useState(false)
	const summary = csv.chosen?.summary
	const isBusy = upload !== null && ['sending', 'paused', 'lost'].includes(upload.phase)

	const choose = (file: File | null) => {
		setMissing(false)
		control.forget()
		csv.choose(file)
	}
	const asked = useConsentOfAll((consent) => {
		if (!summary) return
		control.start({ reader: csv.reader(), total: summary.total, group: group || null, consent })
		draft.forget()
	})
	const start = () => {
		if (!csv.chosen) {
			setMissing(true)
			return briefToast.error('Please select a CSV file')
		}
		if (csv.isReading) return
		if (!summary || summary.total === 0) return briefToast.error('No valid contacts found in CSV')
		asked.submit()
	}

	return (
		<div className="stack">
			{isBusy && (
				<LeaveGuard dirty title="Stop this upload?" confirm="Stop and leave" dismiss="Keep uploading">
					What is uploaded stays. The other rows are not uploaded.
				</LeaveGuard>
			)}
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
			{csv.isReading && <p role="status">Reading the file...</p>}
			{summary && !upload && (
				<>
					<ColumnChoice file={summary} required={REQUIRED} onChange={draft.setColumns} disabled={csv.isReading} />
					<CsvPreview summary={summary} />
				</>
			)}
			{upload && isBusy && <UploadProgress upload={upload} {...control} />}
			{upload && !isBusy && <UploadResult upload={upload} left={leftOf(summary)} reader={csv.reader} />}
			{!upload && asked.fields}
			{!upload && <StartUpload group={group} onGroup={draft.setGroup} isReading={csv.isReading} onStart={start} />}
			{upload && !isBusy && <AnotherFile onClick={() => choose(null)} />}
		</div>
	)
}

interface StartUploadProps {
	/** Into which the contacts go; empty for none. */
	group: string
	onGroup: (group: string) => void
	isReading: boolean
	onStart: () => void
}

function StartUpload({ group, onGroup, isReading, onStart }: StartUploadProps) {
	return (
		<Group align="flex-end" gap={12}>
			<GroupSelect
				flex="1 1 220px"
				maw={320}
				label="Group (optional)"
				hasNone
				allowDeselect={false}
				value={group}
				onChange={(chosen) => onGroup(chosen ?? '')}
			/>
			<MissingGroups />
			<Button leftSection={<IconUpload size={16} aria-hidden />} onClick={onStart} aria-busy={isReading}>
				Upload Contacts
			</Button>
		</Group>
	)
}

/** The question to whoever uploads, and what begins once it is answered whole or not at all. */
function useConsentOfAll(begin: (consent: Consent | null) => void) {
	const { form, onSubmit } = useSchemaForm({
		draft: 'contacts-upload-consent',
		isKeptOnLeave: true,
		schema: ConsentOfAll,
		initialValues: NOT_NOTED,
		async submit({ consent }) {
			begin(consent)
			// The next file may have other people in it.
			form.reset()
		},
	})
	const fields = (
		<ConsentFields
			question="All people in this file agreed to get messages from us"
			consent={form.values.consent}
			onChange={(consent) => form.setFieldValue('consent', consent)}
			inputProps={form.getInputProps}
		/>
	)
	return { fields, submit: () => onSubmit() }
}

function AnotherFile({ onClick }: { onClick: () => void }) {
	return (
		<Group>
			<Button variant="default" onClick={onClick}>
				Upload another file
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

/** How many rows of the file are not sent. */
function leftOf(summary: Summary | null | undefined): number {
	return summary ? summary.counts.dropped + summary.counts.duplicate : 0
}

/** Offers a sample file with three columns. */
function SampleCsv() {
	return (
		<Group gap={12} justify="space-between">
			<Box component="p" m={0} c="dimmed">
				Name and mobile number; other column names are fine.
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
