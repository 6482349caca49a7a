import { Autocomplete, Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Operator, RuleOf } from '#features/audiences/segment-contract.ts'
import { Pick } from '#features/audiences/web/rule-picks.tsx'
import {
	customFields,
	type FieldRow,
	type FieldType,
	MAX_VALUE_LENGTH,
	SAMPLED_CONTACTS,
} from '#features/contacts/custom-fields.ts'
import { valueInWords } from '#features/contacts/web/custom-fields.ts'
import { formatCount } from '#lib/numbers.ts'
import { limited } from '#lib/web/limited.ts'
import { query } from '#lib/web/query.ts'
import type { RuleInput } from './rule-inputs.tsx'
import type { RuleNames } from './rule-names.ts'

/** An operator on the screen: one of the contract's, or `moreThan` or `lessThan`, which are a strict `atLeast` or `atMost`. */
type Comparison = Operator | 'moreThan' | 'lessThan'

const WORDS: Record<Comparison, string> = {
	is: 'is',
	isNot: 'is not',
	contains: 'contains',
	moreThan: 'is more than',
	lessThan: 'is less than',
	atLeast: 'is at least',
	atMost: 'is at most',
	filled: 'has a value',
	empty: 'has no value',
}
const DATE_WORDS: Partial<Record<Comparison, string>> = {
	is: 'is on',
	moreThan: 'is after',
	lessThan: 'is before',
	atLeast: 'is on or after',
	atMost: 'is on or before',
}
const COMPARISONS_OF: Record<FieldType, Comparison[]> = {
	text: ['is', 'isNot', 'contains', 'filled', 'empty'],
	number: ['is', 'isNot', 'moreThan', 'lessThan', 'atLeast', 'atMost', 'filled', 'empty'],
	date: ['is', 'moreThan', 'lessThan', 'atLeast', 'atMost', 'filled', 'empty'],
	yesno: ['is', 'filled', 'empty'],
}
const ANSWERS = [
	{ value: 'yes', label: 'yes' },
	{ value: 'no', label: 'no' },
]

type FieldRule = RuleOf<'field'>

function comparisonOf({ operator, isStrict }: FieldRule): Comparison {
	if (!isStrict) return operator
	return operator === 'atLeast' ? 'moreThan' : operator === 'atMost' ? 'lessThan' : operator
}

function withComparison({ kind, field, value }: FieldRule, comparison: Comparison): FieldRule {
	if (comparison === 'moreThan') return { kind, field, value, operator: 'atLeast', isStrict: true }
	if (comparison === 'lessThan') return { kind, field, value, operator: 'atMost', isStrict: true }
	return { kind, field, value, operator: comparison }
}

function wordOf(comparison: Comparison, type: FieldType | undefined): string {
	return (type === 'date' && DATE_WORDS[comparison]) || WORDS[comparison]
}

function hasValue({ operator }: FieldRule): boolean {
	return operator !== 'filled' && operator !== 'empty'
}

/** Renders comparison and value of a rule about a field. The field itself is chosen in the first box of the rule. */
export function FieldInputs({ rule, names, onChange }: RuleInput<FieldRule>) {
	const field = names.fields.find(({ _id }) => _id === rule.field)
	const type = field?.type ?? 'text'
	return (
		<>
			<Pick
				label="How"
				data={COMPARISONS_OF[type].map((value) => ({ value, label: wordOf(value, type) }))}
				value={comparisonOf(rule)}
				onChange={(chosen) => onChange(withComparison(rule, chosen as Comparison))}
			/>
			{field && hasValue(rule) && (
				<ValueInput field={field} rule={rule} onChange={(value) => onChange({ ...rule, value })} />
			)}
		</>
	)
}

interface ValueInputProps {
	field: FieldRow
	rule: FieldRule
	onChange: (value: string) => void
}

function ValueInput({ field, rule: { operator, value }, onChange }: ValueInputProps) {
	const { type } = field
	if (type === 'yesno')
		return <Pick label="Value" placeholder="Yes or no" data={ANSWERS} value={value} onChange={onChange} />
	if (type === 'text' && operator !== 'contains') return <KnownValues {...{ field, value, onChange }} />
	return (
		<TextInput
			aria-label="Value"
			{...(type === 'date' && { type: 'date' })}
			{...(type === 'number' && { inputMode: 'decimal' as const, placeholder: 'Such as 5000' })}
			{...limited(MAX_VALUE_LENGTH, { value })}
			onChange={(event) => onChange(event.currentTarget.value)}
		/>
	)
}

/**
 * Renders an input that offers the values that contacts have, each with its number of contacts, so that two spellings of
 * one city are seen as two.
 */
function KnownValues({ field: { _id: id }, value, onChange }: Omit<ValueInputProps, 'rule'> & { value: string }) {
	const known = useQuery(query(customFields.values, { params: { id } })).data
	const counts = new Map(known?.values.map((one) => [one.value, one.contacts]))
	return (
		<Autocomplete
			aria-label="Value"
			placeholder="Type or choose"
			data={[...counts.keys()]}
			limit={100}
			maxDropdownHeight={260}
			renderOption={({ option }) => (
				<Group flex={1} gap={12} justify="space-between" wrap="nowrap">
					<bdi className="whole">{option.value}</bdi>
					<span className="figures quiet">{formatCount(counts.get(option.value) ?? 0)}</span>
				</Group>
			)}
			{...(known?.isSample && { description: `Counted in your newest ${formatCount(SAMPLED_CONTACTS)} contacts` })}
			{...limited(MAX_VALUE_LENGTH, { value })}
			onChange={onChange}
		/>
	)
}

/** Returns a rule about a field as a sentence, such as "City is Pune". */
export function fieldInWords(rule: FieldRule, { fields }: RuleNames): string {
	const known = fields.find(({ _id }) => _id === rule.field)
	const compared = hasValue(rule) ? ` ${valueInWords(rule.value, known?.type, known?.name)}` : ''
	return `${known?.name ?? '(deleted)'} ${wordOf(comparisonOf(rule), known?.type)}${compared}`
}
