import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useDocumentTitle } from './use-document-title.ts'
import styles from './page-header.module.css'

interface PageHeaderProps {
	title: string
	/** One quiet line under the title. */
	hint?: ReactNode
	/** Beside the title, for instance a status badge. */
	badge?: ReactNode
	/** Buttons on the right; the one primary button comes last. */
	actions?: ReactNode
	/** Above the title, for instance a way back. */
	back?: ReactNode
	/** For the browser's tab, where it should differ from `title`. */
	documentTitle?: string
}

/** The one h2 of a screen. It names the browser's tab as well. */
export function PageHeader({ title, hint, badge, actions, back, documentTitle }: PageHeaderProps) {
	useDocumentTitle(documentTitle ?? title)
	return (
		<div className={styles.bar}>
			{back}
			<div className={styles.row}>
				<div className={styles.texts}>
					<div className={styles.heading}>
						<h2 className={styles.title}>{title}</h2>
						{badge}
					</div>
					{hint && <p className={styles.hint}>{hint}</p>}
				</div>
				{actions && (
					<Group gap={8} className={styles.actions}>
						{actions}
					</Group>
				)}
			</div>
		</div>
	)
}
