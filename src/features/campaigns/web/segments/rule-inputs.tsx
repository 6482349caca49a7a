import { TextInput } from '@mantine/core'
import type { FC } from 'react'
import type { Operator, Rule, RuleKind, RuleOf } from '#features/audiences/segment-contract.ts'
import { REPLIED_MEANS } from '#features/campaigns/rules.ts'
import { MAX_VALUE_LENGTH, type FieldType } from '#features/contacts/custom-fields.ts'
import { valueInWords } from '#features/contacts/web/custom-fields.ts'
import { plural } from '#lib/numbers.ts'
import { limited } from '#lib/web/limited.ts'
import { labelIn, type RuleNames } from './rule-names.ts'
import { Days, IsPick, Pick } from './rule-picks.tsx'

interface RuleInput<R> {
	rule: R
	names: RuleNames
	onChange: (rule: R) => void
}

interface RuleForm<R> {
	label: string
	blank: (names: RuleNames) => R
	Inputs: FC<RuleInput<R>>
	/** Returns the rule as a sentence. */
	words: (rule: R, names: RuleNames) => string
}

const OPERATOR_WORDS: Record<Operator, string> = {
	is: 'is',
	isNot: 'is not',
	contains: 'contains',
	atLeast: 'is at least',
	atMost: 'is at most',
	filled: 'has a value',
	empty: 'has no value',
}
const DATE_WORDS: Partial<Record<Operator, string>> = {
	is: 'is on',
	atLeast: 'is on or after',
	atMost: 'is on or before',
}
const OPERATORS_OF: Record<FieldType, Operator[]> = {
	text: ['is', 'isNot', 'contains', 'filled', 'empty'],
	number: ['is', 'isNot', 'atLeast', 'atMost', 'filled', 'empty'],
	date: ['is', 'atLeast', 'atMost', 'filled', 'empty'],
	yesno: ['is', 'filled', 'empty'],
}
const ANSWERS = [
	{ value: 'yes', label: 'yes' },
	{ value: 'no', label: 'no' },
]

function operatorWord(operator: Operator, type: FieldType | undefined): string {
	return (type === 'date' && DATE_WORDS[operator]) || OPERATOR_WORDS[operator]
}

const field: RuleForm<RuleOf<'field'>> = {
	label: 'Field',
	blank: ({ fields }) => ({ kind: 'field', field: fields[0]?._id ?? '', operator: 'filled', value: '' }),
	Inputs({ rule, names, onChange }) {
		const type = names.fields.find(({ _id }) => _id === rule.field)?.type ?? 'text'
		const data = OPERATORS_OF[type].map((value) => ({ value, label: operatorWord(value, type) }))
		const set = (value: string) => onChange({ ...rule, value })
		return (
			<>
				<Pick
					label="Field"
					placeholder="Choose a field"
					data={names.fields.map(({ _id, name }) => ({ value: _id, label: name }))}
					value={rule.field}
					onChange={(chosen) => onChange({ ...rule, field: chosen, operator: 'filled', value: '' })}
				/>
				<Pick
					label="How"
					data={data}
					value={rule.operator}
					onChange={(operator) => onChange({ ...rule, operator: operator as Operator })}
				/>
				{rule.operator !== 'filled' &&
					rule.operator !== 'empty' &&
					(type === 'yesno' ? (
						<Pick label="Value" placeholder="Yes or no" data={ANSWERS} value={rule.value} onChange={set} />
					) : (
						<TextInput
							aria-label="Value"
							{...(type === 'date' && { type: 'date' })}
							{...limited(MAX_VALUE_LENGTH, { value: rule.value })}
							onChange={(event) => set(event.currentTarget.value)}
						/>
					))}
			</>
		)
	},
	words({ field: id, operator, value }, { fields }) {
		const known = fields.find(({ _id }) => _id === id)
		const compared = operator === 'filled' || operator === 'empty' ? '' : ` ${valueInWords(value, known?.type)}`
		return `${known?.name ?? '(deleted)'} ${operatorWord(operator, known?.type)}${compared}`
	},
}

type Done = 'received' | 'read' | 'replied' | 'clicked' | 'throttled'

interface DoneWords {
	label: string
	what: string
	/** The words of the choice between the rule and its opposite, for a `what` that has an object. */
	picks?: { yes: string; no: string }
	/** The definition, when the words are not enough. */
	means?: string
}

/** Returns the form of a rule about what contacts did with messages. */
function done<K extends Done>(kind: K, { label, what, picks, means }: DoneWords): RuleForm<RuleOf<K>> {
	type R = RuleOf<K>
	const ANY = { value: 'any', label: 'in any campaign' }
	return {
		label,
		blank: () => ({ kind, is: true, days: 30 }) as R,
		Inputs: ({ rule, names, onChange }) => (
			<>
				<IsPick
					yes={picks?.yes ?? `have ${what}`}
					no={picks?.no ?? `have not ${what}`}
					is={rule.is}
					onChange={(is) => onChange({ ...rule, is })}
				/>
				<Pick
					label="Campaign"
					data={[ANY, ...names.campaigns]}
					value={rule.campaign ?? ANY.value}
					onChange={(chosen) => onChange({ ...rule, campaign: chosen === ANY.value ? undefined : chosen })}
				/>
				<Pick
					label="When"
					data={[
						{ value: 'ever', label: 'at any time' },
						{ value: 'days', label: 'in the last' },
					]}
					value={rule.days === undefined ? 'ever' : 'days'}
					onChange={(value) => onChange({ ...rule, days: value === 'days' ? 30 : undefined })}
				/>
				{rule.days !== undefined && <Days days={rule.days} onChange={(days) => onChange({ ...rule, days })} />}
				{means && <small className="fine">{means}</small>}
			</>
		),
		words: ({ is, campaign, days }, names) => {
			const anywhere = picks ? '' : is ? ' something' : ' anything'
			const where = campaign ? ` in ${labelIn(names.campaigns, campaign)}` : anywhere
			return `Has ${is ? '' : 'not '}${what}${where}${days ? ` in the last ${plural(days, 'day')}` : ''}`
		},
	}
}

/** The inputs of each kind of rule. */
export const RULE_FORMS: { [K in RuleKind]: RuleForm<RuleOf<K>> } = {
	tag: {
		label: 'Tag',
		blank: ({ tags }) => ({ kind: 'tag', is: true, tag: tags[0]?.value ?? '' }),
		Inputs: ({ rule, names, onChange }) => (
			<>
				<IsPick yes="is" no="is not" is={rule.is} onChange={(is) => onChange({ ...rule, is })} />
				<Pick
					label="Tag"
					placeholder="Choose a tag"
					data={names.tags}
					value={rule.tag}
					onChange={(tag) => onChange({ ...rule, tag })}
				/>
			</>
		),
		words: ({ is, tag }, { tags }) => `Tag ${is ? 'is' : 'is not'} ${labelIn(tags, tag)}`,
	},
	field,
	group: {
		label: 'Group',
		blank: ({ groups }) => ({ kind: 'group', is: true, group: groups[0]?.value ?? '' }),
		Inputs: ({ rule, names, onChange }) => (
			<>
				<IsPick yes="is" no="is not" is={rule.is} onChange={(is) => onChange({ ...rule, is })} />
				<Pick
					label="Group"
					placeholder="Choose a group"
					data={names.groups}
					value={rule.group}
					onChange={(group) => onChange({ ...rule, group })}
				/>
			</>
		),
		words: ({ is, group }, { groups }) => `Group ${is ? 'is' : 'is not'} ${labelIn(groups, group)}`,
	},
	added: {
		label: 'Added',
		blank: () => ({ kind: 'added', is: true, days: 30 }),
		Inputs: ({ rule, onChange }) => (
			<>
				<IsPick yes="in the last" no="longer ago than" is={rule.is} onChange={(is) => onChange({ ...rule, is })} />
				<Days days={rule.days} onChange={(days) => onChange({ ...rule, days })} />
			</>
		),
		words: ({ is, days }) => `Added ${is ? 'in the last' : 'longer ago than'} ${plural(days, 'day')}`,
	},
	country: {
		label: 'Country',
		blank: () => ({ kind: 'country', is: true, code: '91' }),
		Inputs: ({ rule, names, onChange }) => (
			<>
				<IsPick yes="is" no="is not" is={rule.is} onChange={(is) => onChange({ ...rule, is })} />
				<Pick
					label="Country"
					data={names.countries}
					value={rule.code}
					onChange={(code) => onChange({ ...rule, code })}
				/>
			</>
		),
		words: ({ is, code }, { countries }) => `Country ${is ? 'is' : 'is not'} ${labelIn(countries, code)}`,
	},
	optedOut: {
		label: 'Opted out',
		blank: () => ({ kind: 'optedOut', is: false }),
		Inputs: ({ rule, onChange }) => (
			<IsPick yes="of marketing" no="not of marketing" is={rule.is} onChange={(is) => onChange({ ...rule, is })} />
		),
		words: ({ is }) => (is ? 'Has opted out of marketing' : 'Has not opted out of marketing'),
	},
	neverWritten: {
		label: 'Messaged',
		blank: () => ({ kind: 'neverWritten', is: true }),
		Inputs: ({ rule, onChange }) => (
			<IsPick yes="never" no="at least once" is={rule.is} onChange={(is) => onChange({ ...rule, is })} />
		),
		words: ({ is }) => (is ? 'Was never messaged' : 'Was messaged before'),
	},
	received: done('received', { label: 'Received', what: 'received' }),
	read: done('read', { label: 'Read', what: 'read' }),
	replied: done('replied', { label: 'Replied', what: 'replied to', means: REPLIED_MEANS }),
	clicked: done('clicked', { label: 'Clicked', what: 'clicked' }),
	throttled: done('throttled', {
		label: 'Held back',
		what: 'been held back by WhatsApp',
		picks: { yes: 'by WhatsApp', no: 'not by WhatsApp' },
		means: 'WhatsApp limits how much marketing a person receives. Send these people another message, on another day.',
	}),
	didNotClick: {
		label: 'Did not click',
		blank: () => ({ kind: 'didNotClick', campaign: '' }),
		Inputs: ({ rule, names, onChange }) => (
			<Pick
				label="Campaign"
				placeholder="Choose a campaign"
				data={names.linked}
				value={rule.campaign}
				onChange={(campaign) => onChange({ ...rule, campaign })}
			/>
		),
		words: ({ campaign }, { campaigns }) => `Was sent ${labelIn(campaigns, campaign)} and did not click`,
	},
}

export function formOf<R extends Rule>(rule: R): RuleForm<R> {
	return RULE_FORMS[rule.kind] as unknown as RuleForm<R>
}
