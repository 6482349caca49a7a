import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { type Columns, columnNames } from '#features/contacts/columns.ts'
import { UnlikelyNumbers } from '#features/contacts/web/parts.tsx'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { DownloadButton } from '#lib/web/ui/form/action-button.tsx'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { leftOutRows, leftOutText } from './left-out.ts'
import type { AudienceFile, FileAnalysis } from './use-audience-file.ts'
import styles from './audience-file.module.css'

interface FileContentsProps {
	analysis: FileAnalysis
	onUnlikely: (withUnlikely: boolean) => void
	isReading: boolean
	file: File
	columns: Columns | null
	templateId: string
	timing: AudienceFile['timing']
}

/** Counts the recipients of the file, shows its first rows, and offers the rejected rows as a download. */
export function FileContents({ analysis, onUnlikely, isReading, ...given }: FileContentsProps) {
	const { counts, recipients, secondNumbers } = analysis
	const rows = leftOutRows(analysis)
	const leftOut = counts.rows - recipients - rows.unlikely
	const withUnlikely = (given.columns ?? analysis.columns).withUnlikely ?? false
	return (
		<section className="stack" aria-label="Contents of the file">
			<div className="tiles" role="group" aria-label="Rows of the file">
				<StatTile label="Get the message" value={formatCount(recipients)} hint={`of ${plural(counts.rows, 'row')}`} />
				<StatTile
					label="Looks wrong"
					value={formatCount(counts.unlikely)}
					hint={withUnlikely ? 'Get it too, as ticked below' : 'Left out unless you tick them below'}
				/>
				<StatTile
					label="Left out"
					value={formatCount(leftOut)}
					hint={leftOutText({ ...rows, unlikely: 0 }, analysis) ?? 'Every row can be used'}
				/>
			</div>
			{leftOut + rows.unlikely > 0 && <RejectedRows {...given} />}
			<UnlikelyNumbers
				action="send to"
				count={counts.unlikely}
				withUnlikely={withUnlikely}
				onChange={onUnlikely}
				disabled={isReading}
			/>
			{secondNumbers > 0 && <p>{plural(secondNumbers, 'second number')} left out: each row gets one message.</p>}
			<PreviewRows analysis={analysis} />
		</section>
	)
}

type Given = Pick<FileContentsProps, 'file' | 'columns' | 'templateId' | 'timing'>

function RejectedRows({ file, columns, templateId, timing }: Given) {
	const body = {
		templateId,
		timezone: INDIAN_TIME_ZONE,
		...timing,
		...(columns && { columns: JSON.stringify(columns) }),
	}
	return (
		<DownloadButton
			w="fit-content"
			busyText="Preparing..."
			read={() => call(campaignPreflight.rejectedRows, { body, files: { file } })}
			fileName={`rejected_${file.name.replace(/\.\w+$/, '')}.csv`}
			failed={(error) => briefToast.failure(error, 'Failed to download the rows left out')}
		>
			Rows left out (CSV)
		</DownloadButton>
	)
}

/** Number of rows without a problem that show what the file holds. */
const GOOD_ROWS = 3

function PreviewRows({ analysis: { header, columns, preview } }: { analysis: FileAnalysis }) {
	if (preview.length === 0) return null
	const isGood = ({ reason, doubt, note }: (typeof preview)[number]) => (reason ?? doubt ?? note) === null
	const rows = [...preview.filter((row) => !isGood(row)), ...preview.filter(isGood).slice(0, GOOD_ROWS)]
	return (
		<section className="framed scrolls" tabIndex={0} aria-label="First rows of the file">
			<table className={styles.table} aria-label="First rows of the file">
				<thead>
					<tr>
						<th scope="col">Row</th>
						{columnNames(header, columns).map((name, index) => (
							// A file may use a name twice.
							<th key={`${index}:${name}`} scope="col" data-chosen={isChosen(columns, index)}>
								<UserText text={columns.hasHeader ? name : `Column ${index + 1}`} />
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map(({ row, cells, reason, doubt, note }) => (
						<tr key={row} data-rejected={reason !== null}>
							<td className="figures">{row}</td>
							{header.map((name, index) => (
								<td key={`${index}:${name}`}>
									<UserText text={(cells[index] ?? '').slice(0, 100) || '-'} />
									{index === (columns.number ?? 0) && <Remarks of={{ main: reason ?? doubt, note }} />}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</section>
	)
}

function Remarks({ of: { main, note } }: { of: { main: string | null; note: string | null } }) {
	return [main, note].map(
		(text) =>
			text !== null && (
				<span key={text} className={styles.reason}>
					{text}
				</span>
			),
	)
}

function isChosen({ number, firstName, lastName }: Columns, index: number): boolean {
	return [number, firstName, lastName].includes(index)
}
