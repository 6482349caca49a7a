import { Skeleton } from '@mantine/core'
import styles from './create-template.module.css'

/** As high as the form's first sections, so that the page does not jump. */
export function FormSkeleton() {
	return (
		<div className={styles.columns} role="status" aria-label="Loading the template">
			<div className="stack">
				<Skeleton height={320} />
				<Skeleton height={140} />
				<Skeleton height={280} />
			</div>
			<Skeleton height={480} />
		</div>
	)
}
