import { Group, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TemplateRow } from '#features/templates/contract.ts'
import { isLabelFound, templateLabel } from '#features/templates/languages.ts'
import { TemplateStatusBadge } from '#features/templates/web/parts.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { countQuery, isSendable, rememberTemplate, type useTemplateOptions } from '../use-templates.ts'
import { emptyVariables, type CampaignFields } from './campaign-fields.ts'
import styles from '../create-campaign.module.css'

interface TemplateSelectProps {
	form: UseFormReturnType<CampaignFields>
	/** The chosen template. */
	template: TemplateRow | undefined
	onSearch: (search: string) => void
	list: ReturnType<typeof useTemplateOptions>
}

export function TemplateSelect({ form, template, onSearch, list }: TemplateSelectProps) {
	const [typed, setTyped] = useState('')
	const count = useQuery(countQuery)
	const found = new Set((list.options ?? []).map(({ _id }) => _id))
	// The chosen template is added for its label.
	const shown = [...(list.options ?? []), ...(template && !found.has(template._id) ? [template] : [])]
	const choose = (id: string | null) => {
		const chosen = shown.find(({ _id }) => _id === id)
		if (chosen) rememberTemplate(chosen)
		form.setValues({ templateId: id ?? '', variables: chosen ? emptyVariables(chosen) : {} })
		form.clearErrors()
	}
	return (
		<>
			<Select
				label="Template"
				placeholder={list.options ? 'Choose a template' : list.hasFailed ? 'Not available' : 'Loading...'}
				disabled={list.hasFailed}
				required
				searchable
				searchValue={typed}
				onSearchChange={(text) => {
					setTyped(text)
					// The field contains the label of the chosen template, which must not be searched for.
					onSearch(shown.some((one) => templateLabel(one) === text) ? '' : text)
				}}
				allowDeselect={false}
				// The options belong to an earlier search while a person types, and Enter takes the first.
				filter={({ options, search }) =>
					options.filter((option) => 'value' in option && found.has(option.value) && isLabelFound(option.label, search))
				}
				nothingFoundMessage={list.isStale ? 'Searching...' : 'No matching template'}
				description={list.isMore ? 'Type part of the name to find more.' : undefined}
				maxDropdownHeight={320}
				data={shown.map((one) => ({ value: one._id, label: templateLabel(one), disabled: !isSendable(one) }))}
				renderOption={({ option }) => <Option template={shown.find(({ _id }) => _id === option.value)} />}
				{...form.getInputProps('templateId')}
				value={form.values.templateId || null}
				onChange={choose}
			/>
			<MissingPart message="Your templates could not be loaded." readings={[...list.readings, count]} />
		</>
	)
}

function Option({ template }: { template: TemplateRow | undefined }) {
	if (!template) return null
	return (
		<Group className={styles.option} gap={12} justify="space-between" wrap="nowrap">
			<span>
				{templateLabel(template)}
				<small>{template.category}</small>
			</span>
			{!isSendable(template) && <TemplateStatusBadge status={template.isGone ? 'GONE' : template.status} />}
		</Group>
	)
}
