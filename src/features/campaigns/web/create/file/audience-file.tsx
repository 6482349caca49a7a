import { Progress, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { columnNames, type Columns } from '#features/contacts/columns.ts'
import { HiddenParts, ColumnChoice } from '#features/contacts/web/parts.tsx'
import { WORKBOOK_TYPES } from '#lib/files/workbook-files.ts'
import { percent } from '#lib/numbers.ts'
import { FileDrop } from '#lib/web/ui/form/file-drop.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { FileContents } from './file-contents.tsx'
import type { AudienceFile, FileAnalysis } from './use-audience-file.ts'
import styles from './audience-file.module.css'

const TYPES = { 'text/csv': ['.csv'], ...WORKBOOK_TYPES }

interface AudienceFileChoiceProps {
	audience: AudienceFile
	/** The form's error for a missing file. */
	error: React.ReactNode
	templateId: string
	onChange: () => void
}

/** Asks for the file and shows its contents. */
export function AudienceFileChoice({ audience, error, templateId, onChange }: AudienceFileChoiceProps) {
	const { file, analysis, isReading, part, choose } = audience
	const map = (columns: Columns) => {
		onChange()
		audience.map(columns)
	}
	const message = audience.error ?? (typeof error === 'string' ? error : undefined)
	return (
		<div className="stack" data-path="file" tabIndex={-1}>
			<FileDrop
				label="Drop a CSV or Excel file here or click to choose"
				hint="CSV or Excel (.xlsx), maximum 10MB"
				accept={TYPES}
				file={file}
				onFile={(chosen) => {
					onChange()
					choose(chosen)
				}}
				onReject={audience.refuse}
				{...(message && { error: message })}
			/>
			{isReading && <Reading part={part} again={analysis !== undefined} />}
			{file && analysis && (
				<>
					<HiddenParts
						hidden={analysis.hidden}
						withHidden={(audience.columns ?? analysis.columns).withHidden ?? false}
						onChange={(withHidden) => map({ ...analysis.columns, withHidden, withUnlikely: false })}
						disabled={isReading}
					/>
					<FoldedColumns key={`${file.name} ${file.lastModified}`} analysis={analysis}>
						<ColumnChoice
							file={analysis}
							required={['number']}
							// Other columns have other unlikely numbers, which the user has not seen yet.
							onChange={(columns) => map({ ...columns, withUnlikely: false })}
							disabled={isReading}
						/>
					</FoldedColumns>
					<FileContents
						analysis={analysis}
						onUnlikely={(withUnlikely) => map({ ...analysis.columns, withUnlikely })}
						isReading={isReading}
						file={file}
						columns={audience.columns}
						templateId={templateId}
						timing={audience.timing}
					/>
				</>
			)}
		</div>
	)
}

interface FoldedColumnsProps {
	analysis: FileAnalysis
	children: ReactNode
}

/** Folds the choice of columns to a line, unless the file's titles do not say which columns hold name and number. */
function FoldedColumns({ analysis: { header, columns }, children }: FoldedColumnsProps) {
	const [isUnfolded, setUnfolded] = useState(columns.firstName === null || columns.number === null)
	const names = columnNames(header, columns)
	const used = [columns.firstName, columns.lastName, columns.number].flatMap((place) =>
		place === null ? [] : (names[place] ?? []),
	)
	return (
		<details open={isUnfolded} onToggle={(event) => setUnfolded(event.currentTarget.open)}>
			<summary className={styles.columns}>
				Columns{' '}
				<span className="quiet">
					<UserText text={used.join(', ')} />
				</span>
			</summary>
			{children}
		</details>
	)
}

function Reading({ part, again }: { part: number; again: boolean }) {
	const text = part < 1 ? `Uploading the file: ${percent(part)}` : again ? 'Counting again...' : 'Reading the file...'
	return (
		<Stack gap={8} fz={13} c="dimmed">
			<p role="status">{text}</p>
			<Progress.Root size={8} transitionDuration={180}>
				<Progress.Section
					{...(part >= 1 && { className: styles.waiting })}
					value={Math.round(part * 100)}
					aria-label="Uploading the file"
				/>
			</Progress.Root>
		</Stack>
	)
}
