import { formatCount } from '#lib/numbers.ts'
import { canonicalNumber, displayNumber } from '#lib/phone.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'
import { ToneBadge } from '#lib/web/ui/value/tone-badge.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { RowState } from './csv/contacts-file.ts'
import type { Summary } from './csv/csv-messages.ts'
import styles from './upload.module.css'

const STATES = {
	valid: { label: 'Valid', tone: 'ok', hint: 'Ready to upload' },
	dropped: { label: 'Dropped', tone: 'error', hint: 'First name or number is missing or not valid' },
	duplicate: { label: 'Duplicate', tone: 'neutral', hint: 'The number appears earlier in the file' },
	refused: { label: 'Will be refused', tone: 'error', hint: '' },
	unlikely: { label: 'Unlikely', tone: 'warn', hint: 'Check these numbers before you upload' },
} as const

/** What will become of the file's rows, before anything is sent. */
export function CsvPreview({ summary: { counts, preview, total } }: { summary: Summary }) {
	const tiles = { ...counts, dropped: counts.dropped + counts.refused }
	return (
		<section className="stack" aria-label="Preview">
			<div className="tiles">
				{(['valid', 'dropped', 'duplicate', 'unlikely'] as const).map((state) => (
					<StatTile
						key={state}
						label={STATES[state].label}
						value={formatCount(tiles[state])}
						hint={STATES[state].hint}
					/>
				))}
			</div>
			{total === 0 && (
				<Notice tone="error" role="status">
					No valid contacts found in CSV
				</Notice>
			)}
			{preview.length > 0 && (
				<section className="framed scrolls" tabIndex={0} aria-label="First rows of the file">
					<table className={`plain-table ${styles.table}`} aria-label="First rows of the file">
						<thead>
							<tr>
								{['Row', 'First name', 'Last name', 'Number', 'State'].map((header) => (
									<th key={header} scope="col">
										{header}
									</th>
								))}
							</tr>
						</thead>
						<tbody>
							{preview.map(({ row, firstName, lastName, number, state, reason }) => (
								<tr key={row}>
									<td className="figures">{row}</td>
									<td>
										<UserText text={firstName.slice(0, 100) || '-'} />
									</td>
									<td>
										<UserText text={lastName.slice(0, 100) || '-'} />
									</td>
									<td className="figures">
										<bdi dir="ltr">{shown(number, state)}</bdi>
									</td>
									<td>
										<ToneBadge tone={STATES[state].tone} label={STATES[state].label} />
										{reason && <span className={styles.reason}>{reason}</span>}
									</td>
								</tr>
							))}
						</tbody>
					</table>
				</section>
			)}
		</section>
	)
}

/** One that is refused as it was typed, as it has no country. */
function shown(number: string, state: RowState): string {
	const canonical = state === 'refused' ? null : canonicalNumber(number)
	return canonical ? displayNumber(canonical) : number.slice(0, 40) || '-'
}
