import { Group } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import styles from './form-section.module.css'

interface FormSectionProps {
	number: number
	title: string
	/** True when the section is complete. */
	done: boolean
	children: ReactNode
}

/** Renders a part of a form with its number, which becomes a check mark when the part is complete. */
export function FormSection({ number, title, done, children }: FormSectionProps) {
	const id = useId()
	return (
		<section className={`surface ${styles.section}`} aria-labelledby={id}>
			<Group gap={10} wrap="nowrap" mb={16}>
				<span className={`disc ${styles.number}`} data-done={done}>
					{done ? <IconCheck size={16} stroke={2.5} role="img" aria-label="Filled in" /> : number}
				</span>
				<h3 className="heading" id={id}>
					{title}
				</h3>
			</Group>
			<div className="stack">{children}</div>
		</section>
	)
}
