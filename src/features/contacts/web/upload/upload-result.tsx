import { Box, Stack } from '@mantine/core'
import { formatCount, plural } from '#lib/numbers.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import type { Summary } from './csv/csv-messages.ts'
import type { CsvReader } from './csv/csv-reader.ts'
import { leftWords } from './csv/file-summary.ts'
import type { Chosen } from './upload-options.tsx'
import type { Upload } from './upload-run.ts'
import { reasonOf } from './use-upload.ts'
import { WhatNext } from './what-next.tsx'
import styles from './upload.module.css'

const SHOWN = 5

interface UploadResultProps {
	upload: Upload
	/** Summary of the file; null when the file was removed. */
	summary: Summary | null
	chosen: Chosen
	reader: () => CsvReader
	onNewGroup: (name: string) => Promise<void>
	onAnother: () => void
}

/** Shows how many customers were added, below that the rows that were not, and links to the next steps. */
export function UploadResult({ upload, summary, chosen, reader, onNewGroup, onAnother }: UploadResultProps) {
	const { saved, existing, updated, optedOut, sent, total, phase } = upload
	const isUpdate = saved === 0 && updated > 0
	const isWhole = sent === total
	return (
		<Stack gap={16}>
			<Notice
				tone={phase === 'refused' ? 'error' : isWhole && saved + existing > 0 ? 'ok' : 'warn'}
				role="status"
				title={headlineOf(upload)}
			>
				<Box component="ul" m="4px 0 0" pl={20}>
					{updated > 0 && !isUpdate && <li>{formatCount(updated)} updated</li>}
					{existing > updated && saved + updated > 0 && (
						<li>{formatCount(existing - updated)} already in your contacts, left unchanged</li>
					)}
					{optedOut > 0 && <li>{formatCount(optedOut)} opted out of marketing, as the file says</li>}
					{!isWhole && (
						<li>
							{formatCount(total - sent)} not uploaded{phase === 'refused' ? `: ${reasonOf(upload)}` : ''}. Upload the
							same file again to continue. No customer is added twice.
						</li>
					)}
				</Box>
			</Notice>
			<NotAdded upload={upload} summary={summary} reader={reader} />
			<WhatNext {...{ upload, chosen, onNewGroup, onAnother }} />
		</Stack>
	)
}

function headlineOf({ saved, updated, existing }: Upload): string {
	if (saved === 0 && updated > 0) return `${plural(updated, 'customer')} updated`
	if (saved === 0 && existing > 0) return `No changes: ${plural(existing, 'customer')} already in your contacts`
	return `${plural(saved, 'customer')} added`
}

/** Folds the rows that were not added or not taken completely: each kind with its number, and the report of all. */
function NotAdded({ upload, summary, reader }: Pick<UploadResultProps, 'upload' | 'summary' | 'reader'>) {
	const { errors, rejected, leftOut } = upload
	const secondCount = summary?.secondCount ?? 0
	const kinds = notAddedWords(upload, summary)
	const words = kinds.length > 0 ? [`Left out: ${kinds.join(', ')}`] : []
	const partly = [
		...(leftOut.length > 0 ? [`${plural(leftOut.length, 'row')} added without some values`] : []),
		...(secondCount > 0 ? [`${plural(secondCount, 'second number')} left out`] : []),
	]
	if (words.length + partly.length + errors.length === 0) return null
	const secondNumbers = summary?.secondNumbers ?? []
	return (
		<details className={`framed ${styles.left}`}>
			<summary>{[...words, ...partly].join('. ')}</summary>
			{[...errors.slice(0, SHOWN), ...secondNumbers].map((error, index) => (
				<p key={index} className={styles.error}>
					{error}
				</p>
			))}
			{errors.length > SHOWN && (
				<p className={styles.error}>and {formatCount(errors.length - SHOWN)} more in the report</p>
			)}
			<DownloadButton
				mt={12}
				read={() => reader().report([...rejected, ...leftOut])}
				failed={() => briefToast.error('The report could not be created')}
			>
				Rows left out (CSV)
			</DownloadButton>
		</details>
	)
}

/** Returns the kinds of rows that were not added, each with its number. */
function notAddedWords({ rejected, sent, total }: Upload, summary: Summary | null): string[] {
	const left = summary?.left ?? []
	const isWhole = sent === total
	const counted = left.filter(({ isSent }) => !isSent || isWhole)
	const expected = counted.reduce((sum, { count, isSent }) => (isSent ? sum + count : sum), 0)
	const others = rejected.length - expected
	const unlikely = summary && !summary.withUnlikely ? summary.counts.unlikely : 0
	return [
		...counted.map(leftWords),
		...(unlikely > 0 ? [`${plural(unlikely, 'number')} that ${unlikely === 1 ? 'looks' : 'look'} wrong`] : []),
		...(others > 0 ? [`${formatCount(others)} refused`] : []),
	]
}
