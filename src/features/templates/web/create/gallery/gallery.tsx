import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { fillVariables } from '#features/templates/placeholders.ts'
import { categoryName } from '#features/templates/template-words.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { useSeenOpening } from '#lib/web/ui/state/use-seen-opening.ts'
import { FilterChips } from '#lib/web/ui/table/filters/filter-chips.tsx'
import type { TemplateFields } from '../template-fields.ts'
import { libraryFields } from './library-fields.ts'
import { Library } from './library.tsx'
import { READY_TEXTS, readyFields } from './ready-fields.ts'
import { READY_GROUPS, READY_LANGUAGES, type ReadyLanguage, type ReadyText, type ReadyVersion } from './ready-text.ts'
import styles from './gallery.module.css'

interface GalleryProps {
	opened: boolean
	onClose: () => void
	/** True when a chosen text replaces texts that the user has typed. */
	isTouched: boolean
	/** Called with the fields of the chosen text, and the sentence that the form shows about them. */
	onChoose: (fields: TemplateFields, sentence: string) => void
}

const SOURCES = [
	{ value: 'own', label: 'Our texts' },
	{ value: 'library', label: 'WhatsApp’s library' },
]

const GROUPS = [
	{ value: '', label: 'All' },
	...Object.entries(READY_GROUPS).map(([value, label]) => ({ value, label })),
]
const LANGUAGES = Object.entries(READY_LANGUAGES).map(([value, label]) => ({ value, label }))

/** Renders the dialog with our ready texts and those of WhatsApp's library, as a new template's starting points. */
export function Gallery({ opened, onClose, isTouched, onChoose }: GalleryProps) {
	const [source, setSource] = useState('own')
	return (
		<Modal opened={useSeenOpening(opened)} onClose={onClose} title="Ready texts" size={1040}>
			<div className="stack">
				<FilterChips label="Source of the texts" value={source} options={SOURCES} onChange={setSource} />
				<p className="quiet">
					{source === 'own'
						? 'Change these texts as you like. WhatsApp reviews them, usually within minutes.'
						: 'WhatsApp has approved these texts: their templates can be sent at once. The words cannot be changed.'}
				</p>
				{isTouched && <Notice tone="warn">A ready text replaces the texts that you have typed.</Notice>}
				{source === 'own' ? (
					<OwnTexts onChoose={onChoose} />
				) : (
					<Library
						onChoose={(text, title) =>
							onChoose(
								libraryFields(text),
								`From WhatsApp’s library: ${title}. It can be sent as soon as it is created.`,
							)
						}
					/>
				)}
			</div>
		</Modal>
	)
}

function OwnTexts({ onChoose }: Pick<GalleryProps, 'onChoose'>) {
	const [language, setLanguage] = useState<ReadyLanguage>('en')
	const [group, setGroup] = useState('')
	const choose = (text: ReadyText, { title }: ReadyVersion) =>
		onChoose(
			readyFields(text, language, new Date().getFullYear()),
			`Filled in: ${title}. Change the texts and examples to suit your shop, then click Create Template.`,
		)
	return (
		<>
			<FilterChips
				label="Language of the texts"
				value={language}
				options={LANGUAGES}
				onChange={(chosen) => setLanguage(chosen as ReadyLanguage)}
			/>
			<FilterChips label="Kind of text" value={group} options={GROUPS} onChange={setGroup} />
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
								onClick={() => choose(text, version)}
							>
								Use this text
							</Button>
						</li>
					)
				})}
			</ul>
		</>
	)
}

/** Returns the body with its examples, without the marks of bold text. */
function previewOf({ body, examples }: ReadyVersion): string {
	return fillVariables(body, (variable) => examples[Number(variable) - 1]).replaceAll('*', '')
}
