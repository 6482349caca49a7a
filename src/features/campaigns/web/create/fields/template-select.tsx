import { Group, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { TemplateRow } from '#features/templates/contract.ts'
import { TemplateStatusBadge } from '#features/templates/web/parts.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { countQuery, isSendable, labelOf, rememberTemplate, type useTemplateOptions } from '../use-templates.ts'
import { emptyVariables, type CampaignFields } from './campaign-fields.ts'
import styles from '../create-campaign.module.css'

interface TemplateSelectProps {
	form: UseFormReturnType<CampaignFields>
	/** The chosen template. */
	template: TemplateRow | undefined
	typed: string
	onType: (typed: string) => void
	list: ReturnType<typeof useTemplateOptions>
}

export function TemplateSelect({ form, template, typed, onType, list }: TemplateSelectProps) {
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
				onSearchChange={onType}
				allowDeselect={false}
				// The options belong to an earlier search while a person types, and Enter takes the first.
				filter={({ options, search }) =>
					options.filter(
						(option) => 'value' in option && found.has(option.value) && isMatch(option.label, search.trim()),
					)
				}
				nothingFoundMessage={list.isStale ? 'Searching...' : 'No matching template'}
				description={list.isMore ? 'Type part of the name to find more.' : undefined}
				maxDropdownHeight={320}
				data={shown.map((one) => ({ value: one._id, label: labelOf(one), disabled: !isSendable(one) }))}
				renderOption={({ option }) => <Option template={shown.find(({ _id }) => _id === option.value)} />}
				{...form.getInputProps('templateId')}
				value={form.values.templateId || null}
				onChange={choose}
			/>
			<MissingPart message="Your templates could not be loaded." readings={[...list.readings, count]} />
		</>
	)
}

function isMatch(label: string, search: string): boolean {
	return label.toLowerCase().includes(search.toLowerCase())
}

function Option({ template }: { template: TemplateRow | undefined }) {
	if (!template) return null
	return (
		<Group className={styles.option} gap={12} justify="space-between" wrap="nowrap">
			<span>
				{labelOf(template)}
				<small>{template.category}</small>
			</span>
			{!isSendable(template) && <TemplateStatusBadge status={template.isGone ? 'GONE' : template.status} />}
		</Group>
	)
}
