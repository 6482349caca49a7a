import { Button, Group } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import styles from './form-section.module.css'

interface FormSectionProps {
	number: number
	title: string
	/** Id of the title, which can be focused. */
	id?: string
	/** True when the section is complete. */
	done: boolean
	/** For a closed section: the line shown instead of its children. Its button says *Change* when the section was open. */
	closed?: { line: ReactNode; isPassed: boolean; onOpen: () => void } | false
	children: ReactNode
}

/** Renders a part of a form with its number, which becomes a check mark when the part is complete. */
export function FormSection({ number, title, id, done, closed, children }: FormSectionProps) {
	const ownId = useId()
	const titleId = id ?? ownId
	return (
		<section className={`surface ${styles.section}`} data-closed={Boolean(closed)} aria-labelledby={titleId}>
			<Group gap="0 10px" wrap={closed ? 'wrap' : 'nowrap'} className={styles.head}>
				<span className={`disc ${styles.number}`} data-done={done}>
					{done ? <IconCheck size={16} stroke={2.5} role="img" aria-label="Filled in" /> : number}
				</span>
				<h3 className={`heading ${closed ? '' : 'grow'}`} id={titleId} tabIndex={-1}>
					{title}
				</h3>
				{closed && (
					<>
						<div className={`grow quiet ${styles.line}`}>{closed.line}</div>
						<Button
							variant="subtle"
							size="compact-md"
							miw="var(--app-control)"
							onClick={closed.onOpen}
							aria-label={`${closed.isPassed ? 'Change' : 'Open'} ${title.toLowerCase()}`}
						>
							{closed.isPassed ? 'Change' : <IconChevronDown size={18} aria-hidden />}
						</Button>
					</>
				)}
			</Group>
			{!closed && <div className={`stack ${styles.content}`}>{children}</div>}
		</section>
	)
}
