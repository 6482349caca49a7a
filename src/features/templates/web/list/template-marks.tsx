import type { TemplateRow } from '#features/templates/contract.ts'
import { findComponent } from '#features/templates/values.ts'
import { useHeaderFile } from '../parts.tsx'
import styles from './templates.module.css'

/** Renders a category, drawn as a word: Marketing for MARKETING. */
export function CategoryWord({ category }: { category: string }) {
	return <span className={styles.word}>{category.replaceAll('_', ' ')}</span>
}

/** Renders the picture of a template's header as a small square; nothing for another header. */
export function HeaderThumbnail({ template }: { template: TemplateRow }) {
	const isImage = findComponent(template.components, 'HEADER')?.format?.toUpperCase() === 'IMAGE'
	const file = useHeaderFile(isImage ? template : undefined)
	if (!isImage || !template.mediaUrl) return null
	return <span className={styles.thumbnail}>{file && <img src={file.url} alt="" />}</span>
}
