import type { FC } from 'react'
import type { Rule, RuleKind, RuleOf } from '#features/audiences/segment-contract.ts'
import { Days, IsPick, Pick } from '#features/audiences/web/rule-picks.tsx'
import { REPLIED_MEANS } from '#features/campaigns/rules.ts'
import { plural } from '#lib/numbers.ts'
import { FieldInputs, fieldInWords } from './field-rule.tsx'
import { labelIn, type RuleNames } from './rule-names.ts'

export interface RuleInput<R> {
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

type Done = 'received' | 'read' | 'replied' | 'clicked' | 'throttled'

interface DoneWords {
	label: string
	what: string
	/** Words for the rule and for its opposite; "have" and "have not" with `what` by default. */
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

/** The form of each kind of rule. */
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
	field: {
		label: 'Field',
		blank: ({ fields }) => blankFieldRule(fields[0]?._id ?? ''),
		Inputs: FieldInputs,
		words: fieldInWords,
	},
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

export function blankFieldRule(field: string): RuleOf<'field'> {
	return { kind: 'field', field, operator: 'is', value: '' }
}

/** Returns the first rule of a new segment: about the account's first field, or without fields about a tag. */
export function blankRule(names: RuleNames): Rule {
	return RULE_FORMS[names.fields.length > 0 ? 'field' : 'tag'].blank(names)
}

export function formOf<R extends Rule>(rule: R): RuleForm<R> {
	return RULE_FORMS[rule.kind] as unknown as RuleForm<R>
}
