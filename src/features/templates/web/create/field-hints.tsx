import { IconAlertTriangle } from '@tabler/icons-react'
import styles from './create-template.module.css'

/** Hints under a field, shown while typing: what Meta will refuse or often rejects. */
export function FieldHints({ hints }: { hints: readonly string[] }) {
	return (
		<div className={styles.hints} aria-live="polite">
			{hints.map((hint) => (
				<p key={hint}>
					<IconAlertTriangle size={16} aria-hidden />
					{hint}
				</p>
			))}
		</div>
	)
}
