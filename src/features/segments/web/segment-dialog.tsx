import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
	segments,
	type SegmentRow,
	MAX_RULES,
	SegmentBody,
	type Rule,
	type RuleKind,
	type SegmentRules,
} from '#features/audiences/segment-contract.ts'
import { countOf } from '#features/audiences/web/count-of.ts'
import { plural } from '#lib/numbers.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { blankFieldRule, blankRule, formOf, RULE_FORMS } from './rule-inputs.tsx'
import { namesIn, useRuleReadings, type RuleNames } from './rule-names.ts'
import styles from './segments.module.css'

/** A segment to edit. A new segment has no `_id`; its name and rules are initial values. */
export type EditedSegment = Pick<SegmentRow, 'name' | 'match' | 'rules'> & { _id?: string }

/** Called with the saved segment and the server's message. */
type OnSaved = (saved: { message: string; segment: SegmentRow }) => void

export function SegmentDialog({ dialog, onSaved }: { dialog: DialogFor<EditedSegment>; onSaved: OnSaved }) {
	const { subject: segment } = dialog
	return (
		<FormDialog dialog={dialog} title={segment?._id ? 'Edit Segment' : 'Add New Segment'} size={760}>
			{segment && (
				<SegmentForm
					key={segment._id ?? segment.name}
					segment={segment}
					onSaved={(saved) => {
						dialog.close()
						onSaved(saved)
					}}
				/>
			)}
		</FormDialog>
	)
}

const MATCHES = [
	{ value: 'all', label: 'all of these rules' },
	{ value: 'any', label: 'any of these rules' },
]
const KINDS = Object.entries(RULE_FORMS).flatMap(([value, { label }]) => (value === 'field' ? [] : [{ value, label }]))

/** Prefix of a field's id among the choices of a rule. */
const FIELD = 'field:'

/** Returns the options for the subject of a rule: the account's custom fields, then contact and campaigns. */
function aboutChoices({ fields }: RuleNames) {
	const own = fields.map(({ _id, name }) => ({ value: FIELD + _id, label: name }))
	if (own.length === 0) return KINDS
	return [
		{ group: 'Your fields', items: own },
		{ group: 'Contact and campaigns', items: KINDS },
	]
}

function aboutOf(rule: Rule): string {
	return rule.kind === 'field' ? FIELD + rule.field : rule.kind
}

function blankAbout(about: string, names: RuleNames): Rule {
	if (about.startsWith(FIELD)) return blankFieldRule(about.slice(FIELD.length))
	return RULE_FORMS[about as RuleKind].blank(names)
}

function SegmentForm({ segment, onSaved }: { segment: EditedSegment; onSaved: OnSaved }) {
	const { _id: id, name, match, rules } = segment
	const names = namesIn(useRuleReadings(rules))
	const state = useSchemaForm({
		schema: SegmentBody,
		initialValues: { name, match, rules },
		submit: (body) => (id ? call(segments.update, { params: { id }, body }) : call(segments.create, { body })),
		saved: async (saved) => {
			await invalidate(segments.list, segments.latest)
			onSaved(saved)
		},
		failed: (error) => briefToast.failure(error, 'Failed to save segment'),
		invalid: (errors) => briefToast.error(Object.keys(errors).some(isOfRule) ? INCOMPLETE : 'Name is required'),
	})
	const { form } = state
	const { values } = form
	const set = (changed: Rule[]) => form.setFieldValue('rules', changed)
	return (
		<GuardedForm state={state}>
			<TextInput label="Name" autoComplete="off" required data-autofocus {...form.getInputProps('name')} />
			<Select label="Contacts who match" data={MATCHES} allowDeselect={false} {...form.getInputProps('match')} />
			<Stack component="ul" gap={12} m={0} p={0} className={styles.rules}>
				{values.rules.map((rule, at) => (
					<RuleRow
						// A rule has no id. The index is a safe key, because the inputs render only values of the rule.
						key={at}
						number={at + 1}
						rule={rule}
						names={names}
						onChange={(changed) => set(values.rules.with(at, changed))}
						onRemove={values.rules.length > 1 ? () => set(values.rules.toSpliced(at, 1)) : undefined}
					/>
				))}
			</Stack>
			<Group justify="space-between">
				<Button
					variant="default"
					leftSection={<IconPlus size={16} aria-hidden />}
					disabled={values.rules.length >= MAX_RULES}
					onClick={() => set([...values.rules, blankRule(names)])}
				>
					Add a rule
				</Button>
				<LiveCount rules={values} />
			</Group>
			<FormButtons>Save</FormButtons>
		</GuardedForm>
	)
}

const INCOMPLETE = 'Complete each rule to see how many match'

function isOfRule(path: string): boolean {
	return path.startsWith('rules')
}

interface RuleRowProps {
	number: number
	rule: Rule
	names: RuleNames
	onChange: (rule: Rule) => void
	onRemove: (() => void) | undefined
}

function RuleRow({ number, rule, names, onChange, onRemove }: RuleRowProps) {
	const { Inputs } = formOf(rule)
	return (
		<li className={styles.rule} aria-label={`Rule ${number}`}>
			<Select
				aria-label="Rule about"
				data={aboutChoices(names)}
				searchable={names.fields.length > 8}
				maxDropdownHeight={360}
				nothingFoundMessage="Nothing found"
				placeholder={rule.kind === 'field' ? '(deleted field)' : undefined}
				allowDeselect={false}
				value={aboutOf(rule)}
				onChange={(about) => about && about !== aboutOf(rule) && onChange(blankAbout(about, names))}
			/>
			<Inputs rule={rule} names={names} onChange={onChange} />
			{onRemove && (
				<Button variant="subtle" color="red" aria-label={`Remove rule ${number}`} onClick={onRemove}>
					<IconTrash size={18} aria-hidden />
				</Button>
			)}
		</li>
	)
}

/** Milliseconds without a change after which the contacts are counted. A newer count cancels an older one. */
const REST_MS = 300

function LiveCount({ rules: { match, rules } }: { rules: SegmentRules }) {
	const [settled] = useDebouncedValue({ match, rules: [...rules] }, REST_MS)
	const isWhole = SegmentBody.safeParse({ name: 'any', ...settled }).success
	const { data, error, isPlaceholderData } = useQuery({
		...countOf(settled),
		placeholderData: keepPreviousData,
		enabled: isWhole,
	})
	return (
		<b role="status">
			{!isWhole
				? INCOMPLETE
				: error
					? messageOf(error, 'Not counted')
					: data && !isPlaceholderData
						? plural(data.contacts, 'contact')
						: 'Counting...'}
		</b>
	)
}
