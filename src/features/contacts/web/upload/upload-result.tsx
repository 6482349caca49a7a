import { Box, Stack } from '@mantine/core'
import { formatCount, plural } from '#lib/numbers.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import type { CsvReader } from './csv/csv-reader.ts'
import type { Seconds } from './csv/file-summary.ts'
import type { Chosen } from './upload-options.tsx'
import type { Upload } from './upload-run.ts'
import { reasonOf } from './use-upload.ts'
import { WhatNext } from './what-next.tsx'
import styles from './upload.module.css'

const SHOWN = 5

interface UploadResultProps {
	upload: Upload
	/** Reasons for which rows of the file were not sent, each with its number of rows. */
	left: string[]
	/** Second numbers in cells, which were left out; null without a file. */
	seconds: Seconds | null
	chosen: Chosen
	reader: () => CsvReader
	onNewGroup: (name: string) => Promise<void>
	onAnother: () => void
}

/** Shows the result for every row of the file, and links to the next steps. */
export function UploadResult({ upload, left, seconds, chosen, reader, onNewGroup, onAnother }: UploadResultProps) {
	const { saved, existing, updated, optedOut, errors, rejected, leftOut, sent, total, phase } = upload
	const secondCount = seconds?.secondCount ?? 0
	const isUpdate = saved === 0 && updated > 0
	const isClean = left.length + errors.length === 0 && sent === total
	return (
		<Stack gap={16}>
			<Notice
				tone={phase === 'refused' ? 'error' : isClean ? 'ok' : 'warn'}
				role="status"
				title={isUpdate ? `${formatCount(updated)} updated` : `${formatCount(saved)} added`}
			>
				<Box component="ul" m="4px 0 0" pl={20}>
					{updated > 0 && !isUpdate && <li>{formatCount(updated)} updated</li>}
					{existing > updated && <li>{formatCount(existing - updated)} already in your contacts, left unchanged</li>}
					{optedOut > 0 && <li>{formatCount(optedOut)} opted out of marketing, as the file says</li>}
					{left.length > 0 && <li>Left out: {left.join(', ')}</li>}
					{secondCount > 0 && <li>{plural(secondCount, 'second number')} left out</li>}
					{rejected.length > 0 && <li>{formatCount(rejected.length)} refused</li>}
					{leftOut.length > 0 && <li>{plural(leftOut.length, 'tag or value', 'tags or values')} left out</li>}
					{sent < total && (
						<li>
							{formatCount(total - sent)} not uploaded{phase === 'refused' ? `: ${reasonOf(upload)}` : ''}. Upload the
							same file again to continue. Nobody is added twice.
						</li>
					)}
				</Box>
				{errors.slice(0, SHOWN).map((error, index) => (
					<p key={index} className={styles.error}>
						{error}
					</p>
				))}
				{errors.length > SHOWN && (
					<p className={styles.error}>and {formatCount(errors.length - SHOWN)} more in the report</p>
				)}
				{seconds?.seconds.map((second) => (
					<p key={second} className={styles.error}>
						{second}
					</p>
				))}
				{left.length + errors.length + secondCount > 0 && (
					<DownloadButton
						mt={12}
						read={() => reader().report([...rejected, ...leftOut])}
						failed={() => briefToast.error('The report could not be created')}
					>
						Download error report
					</DownloadButton>
				)}
			</Notice>
			<WhatNext {...{ upload, chosen, onNewGroup, onAnother }} />
		</Stack>
	)
}
