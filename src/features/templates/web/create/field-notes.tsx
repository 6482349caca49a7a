import { IconAlertTriangle } from '@tabler/icons-react'
import styles from './create-template.module.css'

/** Notes under a field, shown while typing: what Meta will refuse or often rejects. */
export function FieldNotes({ notes }: { notes: readonly string[] }) {
	return (
		<div className={styles.notes} aria-live="polite">
			{notes.map((note) => (
				<p key={note}>
					<IconAlertTriangle size={16} aria-hidden />
					{note}
				</p>
			))}
		</div>
	)
}
