import { Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { templates } from '#features/templates/contract.ts'
import { isLabelFound, templateLabel } from '#features/templates/languages.ts'
import { slotLabel, slotsOf } from '#features/templates/values.ts'
import { OfferEndInput } from '#features/templates/web/offer-end-input.tsx'
import { query } from '#lib/web/query.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { useErrorToast } from '#lib/web/ui/feedback/use-error-toast.ts'
import type { TemplateMessageForm } from './use-template-message.ts'

const MAX_SHOWN = 100
const SEARCH_DELAY_MS = 250

/** Renders the select of a template and the inputs of its variables. */
export function TemplateFields({ template, isChosen, state: { form }, choose, fill }: TemplateMessageForm) {
	const [typed, setTyped] = useState('')
	// After a choice the field contains the template's own label, which is not a search.
	const search = template && typed === templateLabel(template) ? '' : typed.trim()
	const [settled] = useDebouncedValue(search, SEARCH_DELAY_MS)
	const list = useQuery({
		...query(templates.list, { query: { search: settled, limit: MAX_SHOWN } }),
		placeholderData: keepPreviousData,
	})
	useErrorToast(list.error, 'Failed to fetch templates', chatToast)
	const approved = list.data?.templates.filter(({ status }) => status === 'APPROVED') ?? []
	const offered = template && !approved.some(({ _id }) => _id === template._id) ? [template, ...approved] : approved
	const noneMatches = search ? 'No matching template' : 'You have no approved template yet'
	return (
		<>
			<Select
				label="Template"
				required
				searchable
				data-autofocus
				openOnFocus={!isChosen}
				placeholder={list.isPending || (isChosen && !template) ? 'Loading...' : 'Choose a template'}
				// Without a message, the list stays closed while it has no entries.
				nothingFoundMessage={list.isSuccess ? noneMatches : null}
				maxDropdownHeight={280}
				comboboxProps={{ withinPortal: false }}
				data={offered.map((one) => ({ value: one._id, label: templateLabel(one) }))}
				filter={({ options, search: text }) =>
					options.filter((option) => 'value' in option && isLabelFound(option.label, text))
				}
				onSearchChange={setTyped}
				{...form.getInputProps('templateId')}
				value={template?._id ?? null}
				onChange={(id) => choose(offered.find(({ _id }) => _id === id) ?? null)}
			/>
			<MissingPart message="Your templates could not be loaded." readings={[list]} />
			{template &&
				slotsOf(template.components).map(({ key, ...slot }) => {
					const label = slotLabel({ key, ...slot }, template.components)
					const inputProps = { ...form.getInputProps(`variables.${key}`), value: form.values.variables[key] ?? '' }
					const set = (value: string) => fill(key, value)
					return slot.fills === 'ends' ? (
						<OfferEndInput key={key} label={label} inputProps={inputProps} onChange={set} />
					) : (
						<TextInput
							key={key}
							label={label}
							required
							{...inputProps}
							onChange={(event) => set(event.currentTarget.value)}
						/>
					)
				})}
		</>
	)
}
