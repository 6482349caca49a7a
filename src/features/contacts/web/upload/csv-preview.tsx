import { Button } from '@mantine/core'
import { useState } from 'react'
import { formatCount, plural } from '#lib/numbers.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'
import { UnlikelyNumbers } from '../parts.tsx'
import type { Summary } from './csv/csv-messages.ts'
import { leftWords, TILES, type Tile } from './csv/file-summary.ts'
import { FileRows } from './file-rows.tsx'
import type { CsvFile } from './use-csv-file.ts'

const WORDS = {
	new: { label: 'New', hint: 'Not in your contacts yet' },
	update: { label: 'Already a contact', hint: 'Update them or not: choose below' },
	unlikely: { label: 'Looks wrong', hint: 'Left out unless you tick them below' },
	refused: { label: 'Left out', hint: 'Every row can be used' },
}

interface CsvPreviewProps {
	summary: Summary
	/** True while the server checks which numbers are contacts already. */
	isChecking: boolean
	correct: CsvFile['correct']
	include: CsvFile['include']
	nameByNumber: CsvFile['nameByNumber']
}

/** Shows the result that each row of the file will have. A pressed tile limits the table to its rows. */
export function CsvPreview({ summary, isChecking, correct, include, nameByNumber }: CsvPreviewProps) {
	const { counts, total, isChecked } = summary
	const [chosen, choose] = useState<Tile | null>(null)
	// The worker recounts a large file before it answers; the checkbox shows the choice immediately.
	const [isTicked, tick] = useState(summary.withUnlikely)
	// The chosen tile may be empty after its last row was corrected.
	const tile = chosen && counts[chosen] > 0 ? chosen : null
	const unchecked = isChecking ? { value: null } : { value: '–', hint: 'Counted as they are uploaded' }
	return (
		<section className="stack" aria-label="Preview">
			<div className="tiles">
				{TILES.map((name) => (
					<StatTile
						key={name}
						value={formatCount(counts[name])}
						{...WORDS[name]}
						{...(name === 'update' && !isChecked && unchecked)}
						{...(name === 'refused' && summary.left.length > 0 && { hint: summary.left.map(leftWords).join(', ') })}
						{...(name === 'unlikely' && isTicked && { hint: 'Uploaded too, as ticked below' })}
						toggle={{
							isPressed: name === tile,
							onClick: () => choose(name === tile ? null : name),
							disabled: counts[name] === 0,
						}}
					/>
				))}
			</div>
			<UnlikelyNumbers
				action="upload"
				count={counts.unlikely}
				withUnlikely={isTicked}
				onChange={(checked) => {
					tick(checked)
					include(checked)
				}}
			/>
			<UnnamedRows summary={summary} nameByNumber={nameByNumber} />
			{total === 0 && !isChecking && (
				<Notice tone="error" role="status">
					No valid contacts found in CSV
				</Notice>
			)}
			<FileRows
				key={tile}
				title={tile ? `Rows of the file: ${WORDS[tile].label}` : 'Rows of the file'}
				summary={summary}
				tile={tile}
				correct={correct}
			/>
		</section>
	)
}

/** Says what happens to rows without a name, and offers to use the number as the name. Renders nothing without any. */
function UnnamedRows({ summary, nameByNumber }: Pick<CsvPreviewProps, 'summary' | 'nameByNumber'>) {
	const { unnamedCount, namesByNumber } = summary
	if (unnamedCount === 0) return null
	return (
		<Notice tone={namesByNumber ? 'info' : 'warn'} role="status">
			<p>
				{namesByNumber
					? `${plural(unnamedCount, 'row')} without a name: the number is used as the name.`
					: `Left out: ${leftWords({ kind: 'nameless', count: unnamedCount })}.`}
			</p>
			<Button variant="default" size="xs" mt={8} onClick={() => nameByNumber(!namesByNumber)}>
				{namesByNumber ? 'Leave them out' : 'Use the number as the name'}
			</Button>
		</Notice>
	)
}
