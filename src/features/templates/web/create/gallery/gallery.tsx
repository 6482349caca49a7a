import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { categoryName } from '#features/templates/category-name.ts'
import { fillVariables } from '#features/templates/placeholders.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { useSeenOpening } from '#lib/web/ui/state/use-seen-opening.ts'
import { FilterChips } from '#lib/web/ui/table/filters/filter-chips.tsx'
import type { TemplateFields } from '../template-fields.ts'
import { READY_TEXTS, readyFields } from './ready-fields.ts'
import { READY_GROUPS, READY_LANGUAGES, type ReadyLanguage, type ReadyVersion } from './ready-text.ts'
import styles from './gallery.module.css'

interface GalleryProps {
	opened: boolean
	onClose: () => void
	/** True when a chosen text replaces texts that the user has typed. */
	isTouched: boolean
	onChoose: (fields: TemplateFields, title: string) => void
}

const GROUPS = [
	{ value: '', label: 'All' },
	...Object.entries(READY_GROUPS).map(([value, label]) => ({ value, label })),
]
const LANGUAGES = Object.entries(READY_LANGUAGES).map(([value, label]) => ({ value, label }))

/** Renders the dialog with the ready texts, as a new template's starting points. */
export function Gallery({ opened, onClose, isTouched, onChoose }: GalleryProps) {
	const [language, setLanguage] = useState<ReadyLanguage>('en')
	const [group, setGroup] = useState('')
	return (
		<Modal opened={useSeenOpening(opened)} onClose={onClose} title="Ready texts" size={1040}>
			<div className="stack">
				<FilterChips
					label="Language of the texts"
					value={language}
					options={LANGUAGES}
					onChange={(chosen) => setLanguage(chosen as ReadyLanguage)}
				/>
				<FilterChips label="Kind of text" value={group} options={GROUPS} onChange={setGroup} />
				{isTouched && <Notice tone="warn">A ready text replaces the texts that you have typed.</Notice>}
				<ul className={`bare ${styles.list}`} lang={language}>
					{READY_TEXTS.filter((text) => group === '' || text.group === group).map((text) => {
						const version = text.versions[language]
						return (
							<li key={text.key} className={styles.card}>
								<b>{version.title}</b>
								<p className="small">{previewOf(version)}</p>
								<span className="fine" lang="en">
									{categoryName(text.category)}
								</span>
								<Button
									lang="en"
									variant="default"
									aria-label={`Use this text: ${version.title}`}
									onClick={() => onChoose(readyFields(text, language, new Date().getFullYear()), version.title)}
								>
									Use this text
								</Button>
							</li>
						)
					})}
				</ul>
			</div>
		</Modal>
	)
}

/** Returns the body with its examples, without the marks of bold text. */
function previewOf({ body, examples }: ReadyVersion): string {
	return fillVariables(body, (variable) => examples[Number(variable) - 1]).replaceAll('*', '')
}
