import { Select, TextInput } from '@mantine/core'
import type { Format } from '#features/audiences/contract.ts'
import { formatsFor, formatValue, gapOf, tagLabel } from '#features/audiences/values.ts'
import { fallbackOf, mergeTags, withFallback } from '#features/templates/values.ts'
import { plural } from '#lib/numbers.ts'
import type { TagSource } from './merge-tags.ts'
import styles from './variables.module.css'

export interface TagSettingsProps {
	/** The label of the variable. */
	label: string
	value: string
	source: TagSource
	onValue: (value: string) => void
	onFormat?: ((tag: string, format: Format) => void) | undefined
}

/** The labels of formats for a column without a sample value. */
const FORMAT_NAMES: Record<Format, string> = {
	typed: 'As in the file',
	grouped: '1,23,456',
	rupees: '₹1,23,456.00',
	day: '25 Nov 2026',
	slashes: '25/11/2026',
}

/**
 * Shows the settings of a variable's columns: formats of numbers and dates, and the fallback for recipients without a
 * value.
 */
export function TagSettings({ label, value, source: { gaps, written }, onValue, onFormat }: TagSettingsProps) {
	const tags = mergeTags({ value })
	const settings = tags.flatMap((tag) => {
		const column = written.get(tag)
		const missing = gapOf(gaps, tag)
		const fallback = fallbackOf(value, tag)
		return [
			column && (
				<Select
					key={`format:${tag}`}
					label={`Format of ${tagLabel(tag)}`}
					data={formatsFor(column.kind).map((format) => ({
						value: format,
						label: formatLabel(format, column.typed),
					}))}
					value={column.format}
					allowDeselect={false}
					onChange={(format) => format && onFormat?.(tag, format)}
				/>
			),
			(missing > 0 || fallback !== '') && (
				<TextInput
					key={`fallback:${tag}`}
					label={`If ${tagLabel(tag)} is empty, write`}
					description={missing > 0 && `${plural(missing, 'person has', 'people have')} no ${tagLabel(tag)}.`}
					placeholder="e.g. friend"
					aria-label={`If ${tagLabel(tag)} is empty, write in ${label}`}
					value={fallback}
					onChange={(event) => onValue(withFallback(value, tag, event.currentTarget.value))}
				/>
			),
		].filter(Boolean)
	})
	return settings.length > 0 && <div className={`abreast ${styles.settings}`}>{settings}</div>
}

function formatLabel(format: Format, typed: string | null | undefined): string {
	if (!typed) return FORMAT_NAMES[format]
	return format === 'typed' ? `${FORMAT_NAMES.typed}: ${typed}` : formatValue(typed, format)
}
