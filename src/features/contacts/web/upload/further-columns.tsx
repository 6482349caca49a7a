import { Box, Button, Group, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { columnNames } from '#features/contacts/columns.ts'
import {
	customFields,
	type FieldRow,
	isReservedName,
	MAX_FIELD_NAME_LENGTH,
	MAX_FIELDS,
	type FieldType,
} from '#features/contacts/custom-fields.ts'
import { firstCharacters } from '#lib/text/characters.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { TYPE_WORDS, useCustomFields } from '../custom-fields.ts'
import type { Summary } from './csv/csv-messages.ts'

/** Use of a column: none, tags, a field by id, or a new field of a type. */
type Choice = '' | 'tags' | 'optout' | `field:${string}` | `new:${FieldType}`

/** Columns retained besides names and numbers, by index. */
export interface RetainedColumns {
	tags: number[]
	/** Columns that say who has opted out of marketing. */
	optOuts: number[]
	fields: { at: number; id: string }[]
}

const TAG_HEADER = /^(?:tags?|labels?)$/i
const OPT_OUT_HEADER = /^(?:opted ?out|opt[- ]?out|unsubscribed)$/i
/** Columns of the product's export that hold no value of a contact. */
const NOT_RETAINED = ['group', 'addedon', 'consentsource', 'consentwords', 'consenton']

/**
 * Holds the use of the columns besides names and numbers. A column with values is retained unless the user leaves it
 * out or `NOT_RETAINED` names it.
 */
export function useFurtherColumns(summary: Summary | null | undefined) {
	const { fields } = useCustomFields()
	const header = summary ? columnNames(summary.header, summary.columns) : []
	const key = header.join('\n')
	const [chosen, setChosen] = useState<{ key: string; choices: Record<number, Choice> }>({ key: '', choices: {} })
	const choices = chosen.key === key ? chosen.choices : {}
	const taken = summary
		? [summary.columns.firstName, summary.columns.lastName, summary.columns.number, summary.columns.countryCode]
		: []
	const names = new Set<string>()
	const columns = (summary?.likelyTypes ?? []).flatMap((kind, at) => {
		if (taken.includes(at)) return []
		const name = header[at] ?? ''
		const fresh = fieldName(name).toLowerCase()
		const isPossible = names.size < MAX_FIELDS - fields.length && fresh !== '' && !names.has(fresh)
		const usual = usualChoice(name, { fields, kind: isPossible ? kind : null })
		if (usual.startsWith('new:')) names.add(fresh)
		return [
			{
				at,
				name: summary?.columns.hasHeader ? name : `Column ${at + 1}`,
				likely: kind ?? ('text' as const),
				choice: choices[at] ?? usual,
			},
		]
	})
	const set = (changed: Record<number, Choice>) => setChosen({ key, choices: { ...choices, ...changed } })
	return {
		columns,
		fields,
		choose: (at: number, choice: Choice) => set({ [at]: choice }),
		keepAll() {
			const left = columns.filter(({ name, choice }) => choice === '' && !NOT_RETAINED.includes(name.toLowerCase()))
			set(Object.fromEntries(left.map(({ at, likely }) => [at, `new:${likely}` as const])))
		},
		/**
		 * Creates the new fields. Fields created before an error are selected from then on, so that a retry does not
		 * create them again.
		 */
		async prepare(): Promise<RetainedColumns> {
			const retained: RetainedColumns = { tags: [], optOuts: [], fields: [] }
			const made: Record<number, Choice> = {}
			try {
				for (const { at, name, choice } of columns) {
					const [kind, value = ''] = choice.split(':')
					if (kind === 'tags') retained.tags.push(at)
					if (kind === 'optout') retained.optOuts.push(at)
					if (kind === 'field') retained.fields.push({ at, id: value })
					if (kind !== 'new') continue
					const id = await createField(name, value as FieldType)
					made[at] = `field:${id}`
					retained.fields.push({ at, id })
				}
				return retained
			} finally {
				if (Object.keys(made).length > 0) {
					await invalidate(customFields.list)
					set(made)
				}
			}
		},
	}
}

/** Returns the default use of a column. Without a likely type, no new field is proposed. */
function usualChoice(name: string, { fields, kind }: { fields: readonly FieldRow[]; kind: FieldType | null }): Choice {
	const field = fields.find((one) => one.name.toLowerCase() === name.trim().toLowerCase())
	if (field) return `field:${field._id}`
	if (TAG_HEADER.test(name.trim())) return 'tags'
	if (OPT_OUT_HEADER.test(name.trim())) return 'optout'
	return kind === null || NOT_RETAINED.includes(name.toLowerCase()) ? '' : `new:${kind}`
}

function fieldName(column: string): string {
	const typed = column.replace(/[{}|]/g, ' ').replace(/ {2,}/g, ' ').trim()
	// A field may not be called Phone, which every contact has; a second number column gets another name.
	return firstCharacters(isReservedName(typed) ? `${typed} 2` : typed, MAX_FIELD_NAME_LENGTH)
}

async function createField(column: string, type: FieldType): Promise<string> {
	const { field } = await call(customFields.create, { body: { name: fieldName(column), type } })
	return field._id
}

type Further = ReturnType<typeof useFurtherColumns>

/** Renders selects for the use of each further column; nothing without further columns. */
export function FurtherColumns({ further, disabled }: { further: Further; disabled: boolean }) {
	const { columns, fields, choose, keepAll } = further
	if (columns.length === 0) return null
	return (
		<Stack component="fieldset" className="framed" gap={12} miw={0} m={0} p={16}>
			<Box component="legend" px={4} fw={600}>
				Other columns
			</Box>
			<p className="fine">Keep the columns you want to use in messages or segments.</p>
			<Box className="abreast" style={{ '--least': '180px', gap: 12 }}>
				{columns.map(({ at, name, likely, choice }) => (
					<Select
						key={at}
						label={name}
						data={choicesOf(fields, likely)}
						value={choice}
						allowDeselect={false}
						onChange={(next) => choose(at, (next ?? '') as Choice)}
						disabled={disabled}
					/>
				))}
			</Box>
			{columns.some(({ choice }) => choice === '') && (
				<Group>
					<Button variant="default" onClick={keepAll} disabled={disabled}>
						Keep all as fields
					</Button>
				</Group>
			)}
		</Stack>
	)
}

/** Returns the choices for a column; the likely type of a new field comes first. */
function choicesOf(fields: readonly FieldRow[], likely: FieldType) {
	const others = (Object.keys(TYPE_WORDS) as FieldType[]).filter((type) => type !== likely)
	return [
		{ value: '', label: 'Leave out' },
		{ value: 'tags', label: 'Tags' },
		{ value: 'optout', label: 'Opted out of marketing' },
		...[likely, ...others].map((type) => ({
			value: `new:${type}`,
			label: `New field: ${TYPE_WORDS[type].toLowerCase()}`,
		})),
		...fields.map(({ _id, name }) => ({ value: `field:${_id}`, label: `Field: ${name}` })),
	]
}
