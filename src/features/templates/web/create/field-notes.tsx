import { IconAlertTriangle } from '@tabler/icons-react'
import styles from './create-template.module.css'

/** While typing: what Meta will refuse or usually rejects, under the field that it concerns. */
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
