import { Group, Radio, Select, type ComboboxItem } from '@mantine/core'
import { useState } from 'react'
import { TEMPLATE_LANGUAGES } from '#features/templates/languages.ts'
import { ttlText } from '#features/templates/limits.ts'
import { newRequestId } from '#lib/request-id.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { useAfterRender } from '#lib/web/ui/use-after-render.ts'
import { HintedInput } from '../field-hints.tsx'
import { changedKind } from '../kinds.ts'
import { kindOf, writableName } from '../template-fields.ts'
import type { SectionProps } from './section-props.ts'

const NAME_RULE = 'Template name can only contain lowercase letters, numbers, and underscores'

const CATEGORIES = [
	{ value: 'MARKETING', label: 'Marketing' },
	{ value: 'UTILITY', label: 'Utility' },
	{ value: 'AUTHENTICATION', label: 'Authentication' },
] as const

const CATEGORY_HINTS = {
	MARKETING: 'Offers, news and invitations. Opted-out contacts do not get it.',
	UTILITY: 'About an order, a booking or an account. WhatsApp charges anything promotional as marketing.',
	AUTHENTICATION: 'One-time codes. WhatsApp writes the message; you choose how long a code is valid.',
}

const LANGUAGES = TEMPLATE_LANGUAGES.map(({ code, name }) => ({ value: code, label: `${name} (${code})` }))

/** Renders the section with name, category and language. */
export function TemplateInfo({ form, hints }: SectionProps) {
	const [wasChanged, setWasChanged] = useState(false)
	const { name, language, category, library } = form.values
	const setCaret = useAfterRender(placeCaret)
	const typeName = (event: React.ChangeEvent<HTMLInputElement>) => {
		const typed = event.currentTarget
		const fitting = writableName(typed.value)
		// Never reset: hiding the rule on blur would move the layout under the click that leaves the field.
		if (fitting !== typed.value) setWasChanged(true)
		const caret = writableName(typed.value.slice(0, typed.selectionStart ?? undefined)).length
		form.setFieldValue('name', fitting)
		setCaret({ input: typed, caret })
	}
	return (
		<FormSection number={1} title="Template information" done={name.trim() !== '' && language !== ''}>
			<HintedInput
				label="Template name"
				placeholder="diwali_offer_2026"
				description={wasChanged ? NAME_RULE : 'Customers do not see this name. You cannot change it later.'}
				required
				autoCapitalize="none"
				spellCheck={false}
				{...form.getInputProps('name')}
				onChange={typeName}
				hints={hints('name')}
			/>
			<Radio.Group
				label="Category"
				description={CATEGORY_HINTS[category]}
				{...form.getInputProps('category')}
				onChange={(chosen: typeof category) => {
					// Only marketing templates have a kind.
					form.setValues({ category: chosen, ...(chosen === 'MARKETING' ? {} : { kind: 'STANDARD' }) })
					form.clearErrors()
				}}
			>
				<Group gap="8px 24px" mt={8}>
					{CATEGORIES.map((choice) => (
						<Radio key={choice.value} {...choice} disabled={library !== null && choice.value !== category} />
					))}
				</Group>
			</Radio.Group>
			<Select
				maw="100%"
				label="Language"
				required
				searchable
				disabled={library !== null}
				maxDropdownHeight={320}
				nothingFoundMessage="No matching language"
				data={LANGUAGES}
				filter={({ options, search }) => found(options as ComboboxItem[], search.trim().toLowerCase())}
				{...form.getInputProps('language')}
				value={language || null}
				onChange={(chosen: string | null) => form.setFieldValue('language', chosen ?? '')}
			/>
			{category === 'MARKETING' && library === null && <KindChoice form={form} />}
			{category === 'MARKETING' && (
				<Select
					maw="100%"
					label="Stop delivery after"
					description="WhatsApp then stops trying, if a phone is off. Applies only if you use WhatsApp’s marketing service."
					data={lifetimes(form.values.message_send_ttl_seconds)}
					allowDeselect={false}
					{...form.getInputProps('message_send_ttl_seconds')}
				/>
			)}
		</FormSection>
	)
}

const KINDS = [
	{ value: 'STANDARD', label: 'Standard message' },
	{ value: 'CAROUSEL', label: 'Carousel of cards' },
	{ value: 'LIMITED_TIME_OFFER', label: 'Limited-time offer' },
] as const

const KIND_HINTS = {
	STANDARD: undefined,
	CAROUSEL: 'A text, and below it 2 to 10 cards side by side, each with a picture or video and buttons.',
	LIMITED_TIME_OFFER: 'Shows the time that is left, and a code to copy. WhatsApp on computers does not show it.',
}

function KindChoice({ form }: Pick<SectionProps, 'form'>) {
	const kind = kindOf(form.values)
	return (
		<Select
			maw="100%"
			label="Kind of message"
			description={KIND_HINTS[kind]}
			data={KINDS}
			allowDeselect={false}
			value={kind}
			onChange={(chosen) => {
				if (chosen === null || chosen === kind) return
				form.clearErrors()
				form.setValues(changedKind(form.getValues(), chosen, newRequestId()))
			}}
		/>
	)
}

const DAY = 86_400
const LIFETIMES = [DAY / 2, DAY, 2 * DAY, 3 * DAY, 7 * DAY, 14 * DAY].map(String)

/** Returns the choices for the time to live, with that of a copied template; empty is WhatsApp's default. */
function lifetimes(chosen: string): ComboboxItem[] {
	const all = chosen === '' || LIFETIMES.includes(chosen) ? LIFETIMES : [...LIFETIMES, chosen]
	const choices = all.map((seconds) => ({ value: seconds, label: ttlText(Number(seconds)) }))
	return [...choices, { value: '', label: '30 days' }]
}

/**
 * Returns the matching languages, first the languages whose name starts with the search: “hin” finds Hindi before
 * Chinese.
 */
function found(languages: ComboboxItem[], search: string): ComboboxItem[] {
	const matches = languages.filter(({ label }) => label.toLowerCase().includes(search))
	const isFirst = ({ label }: ComboboxItem) => label.toLowerCase().startsWith(search)
	return [...matches.filter(isFirst), ...matches.filter((language) => !isFirst(language))]
}

function placeCaret({ input, caret }: { input: HTMLInputElement; caret: number }) {
	input.setSelectionRange(caret, caret)
}
