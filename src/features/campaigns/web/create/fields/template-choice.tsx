import { Anchor, Group, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { TemplateRow } from '#features/templates/contract.ts'
import { templatePaths, templateSearchPath } from '#features/templates/paths.ts'
import { TemplateStatusBadge } from '#features/templates/web/status-badges.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { countQuery, isSendable, rememberTemplate, useTemplateOptions } from '../use-templates.ts'
import { emptyVariables, type CampaignFields } from './campaign-fields.ts'
import styles from '../create-campaign.module.css'

interface TemplateChoiceProps {
	form: UseFormReturnType<CampaignFields>
	template: TemplateRow | undefined
	/** One is chosen that can be sent. */
	isReady: boolean
	/** How many templates can be sent; undefined until known, null when that failed. */
	count: number | null | undefined
}

export function TemplateChoice({ form, template, isReady, count }: TemplateChoiceProps) {
	return (
		<FormSection number={2} title="Template" done={isReady}>
			<TemplateSelect form={form} template={template} />
			{count === 0 && (
				<p className="quiet">
					You have no approved template yet.{' '}
					<Anchor component={Link} to={templatePaths.list} underline="always">
						View your templates
					</Anchor>
				</p>
			)}
			{template?.needsHeaderFile && (
				<Notice tone="warn" title="The header file is missing">
					This template was created outside this product. Upload its header file before you send it.{' '}
					<Anchor component={Link} to={templateSearchPath(template.name)} inherit underline="always">
						Upload the file
					</Anchor>
				</Notice>
			)}
		</FormSection>
	)
}

function TemplateSelect({ form, template }: Omit<TemplateChoiceProps, 'isReady' | 'count'>) {
	const [typed, setTyped] = useState('')
	// Once a template is chosen, the field holds its label, which is not searched for.
	const list = useTemplateOptions(template && typed === labelOf(template) ? '' : typed)
	const count = useQuery(countQuery)
	const found = new Set((list.options ?? []).map(({ _id }) => _id))
	// The chosen one is there for its label, and shown among the options when it is one.
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
				onSearchChange={setTyped}
				allowDeselect={false}
				// The options still belong to an earlier search while somebody types, and Enter takes the first.
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

function labelOf({ name, language }: TemplateRow): string {
	return `${name} (${language})`
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
