import { Box, Button, Group, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { ownFields, type FieldRow } from '#features/contacts/own-fields-contract.ts'
import { isReservedName, MAX_FIELD_NAME_LENGTH, type FieldType } from '#features/contacts/own-fields.ts'
import { firstCharacters } from '#lib/characters.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { columnNames } from '../column-names.ts'
import { TYPE_WORDS, useOwnFields } from '../own-fields.ts'
import type { Summary } from './csv/csv-messages.ts'

/** What becomes of a column: nothing, tags, a field by its id, or a new field of a type. */
type Choice = '' | 'tags' | `field:${string}` | `new:${FieldType}`

/** The columns of a file that are kept besides names and numbers, by their places. */
export interface KeptColumns {
	tags: number[]
	fields: { at: number; id: string }[]
}

const TAG_HEADER = /^(?:tags?|labels?)$/i
/** Of our own export: what they hold is no value of a contact. */
const NOT_KEPT = ['group', 'optedout', 'addedon', 'consentsource', 'consentwords', 'consenton']

/** Which further columns of the file are kept, and as what. What the account has fields for is kept unless somebody says otherwise. */
export function useFurtherColumns(summary: Summary | null | undefined) {
	const { fields } = useOwnFields()
	const header = summary ? columnNames(summary.header, summary.columns) : []
	const key = header.join('\n')
	const [chosen, setChosen] = useState<{ key: string; choices: Record<number, Choice> }>({ key: '', choices: {} })
	const choices = chosen.key === key ? chosen.choices : {}
	const taken = summary ? [summary.columns.firstName, summary.columns.lastName, summary.columns.number] : []
	const columns = (summary?.likelyTypes ?? []).flatMap((likely, at) => {
		if (taken.includes(at)) return []
		const name = header[at] ?? ''
		return [
			{
				at,
				name: summary?.columns.hasHeader ? name : `Column ${at + 1}`,
				likely,
				choice: choices[at] ?? usualChoice(name, fields),
			},
		]
	})
	const set = (changed: Record<number, Choice>) => setChosen({ key, choices: { ...choices, ...changed } })
	return {
		columns,
		fields,
		choose: (at: number, choice: Choice) => set({ [at]: choice }),
		keepAll() {
			const left = columns.filter(({ name, choice }) => choice === '' && !NOT_KEPT.includes(name.toLowerCase()))
			set(Object.fromEntries(left.map(({ at, likely }) => [at, `new:${likely}` as const])))
		},
		/** Makes the new fields. Those that are made before one is refused are chosen from then on, not made again. */
		async prepare(): Promise<KeptColumns> {
			const kept: KeptColumns = { tags: [], fields: [] }
			const made: Record<number, Choice> = {}
			try {
				for (const { at, name, choice } of columns) {
					const [kind, value = ''] = choice.split(':')
					if (kind === 'tags') kept.tags.push(at)
					if (kind === 'field') kept.fields.push({ at, id: value })
					if (kind !== 'new') continue
					const id = await createField(name, value as FieldType)
					made[at] = `field:${id}`
					kept.fields.push({ at, id })
				}
				return kept
			} finally {
				if (Object.keys(made).length > 0) {
					await invalidate(ownFields.list)
					set(made)
				}
			}
		},
	}
}

function usualChoice(name: string, fields: readonly FieldRow[]): Choice {
	const field = fields.find((one) => one.name.toLowerCase() === name.trim().toLowerCase())
	if (field) return `field:${field._id}`
	return TAG_HEADER.test(name.trim()) ? 'tags' : ''
}

async function createField(column: string, type: FieldType): Promise<string> {
	const typed = column.replace(/[{}|]/g, ' ').replace(/ {2,}/g, ' ').trim()
	// A second column of phone numbers may not be called Phone: every contact has one.
	const name = firstCharacters(isReservedName(typed) ? `${typed} 2` : typed, MAX_FIELD_NAME_LENGTH)
	const { field } = await call(ownFields.create, { body: { name, type } })
	return field._id
}

type Further = ReturnType<typeof useFurtherColumns>

/** The choice for each further column. */
export function FurtherColumns({ further, disabled }: { further: Further; disabled: boolean }) {
	const { columns, fields, choose, keepAll } = further
	if (columns.length === 0) return null
	return (
		<Stack component="fieldset" className="framed" gap={12} miw={0} m={0} p={16}>
			<Box component="legend" px={4} fw={600}>
				Other columns
			</Box>
			<p className="fine">Keep what you want to choose people by, or write in your messages.</p>
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

/** The likely kind of a new field comes before the others. */
function choicesOf(fields: readonly FieldRow[], likely: FieldType) {
	const others = (Object.keys(TYPE_WORDS) as FieldType[]).filter((type) => type !== likely)
	return [
		{ value: '', label: 'Leave out' },
		{ value: 'tags', label: 'Tags' },
		...[likely, ...others].map((type) => ({
			value: `new:${type}`,
			label: `New field: ${TYPE_WORDS[type].toLowerCase()}`,
		})),
		...fields.map(({ _id, name }) => ({ value: `field:${_id}`, label: `Field: ${name}` })),
	]
}
