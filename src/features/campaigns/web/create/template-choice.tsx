import { Anchor, Select, type ComboboxItem } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Link } from 'react-router'
import { slotLabel, slotsOf } from '#features/campaigns/rules.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { TemplateStatusBadge } from '#features/templates/web/parts.tsx'
import { emptyVariables, type CampaignFields } from './campaign-fields.ts'
import { FormSection } from './form-section.tsx'
import { VariableInput } from './variable-input.tsx'
import styles from './create-campaign.module.css'

interface TemplateList {
	data: { templates: readonly TemplateRow[] } | undefined
	isError: boolean
	isFetching: boolean
	refetch: () => unknown
}

interface TemplateChoiceProps {
	form: UseFormReturnType<CampaignFields>
	/** The reading of all templates. */
	list: TemplateList
	template: TemplateRow | undefined
}

export function TemplateChoice({ form, list, template }: TemplateChoiceProps) {
	const { variables } = form.values
	const templates = list.data?.templates
	const hasFailed = list.isError && !templates
	const slots = template ? slotsOf(template.components) : []
	const choose = (id: string | null) => {
		const chosen = templates?.find(({ _id }) => _id === id)
		form.setValues({ templateId: id ?? '', variables: chosen ? emptyVariables(chosen) : {} })
		form.clearErrors()
	}
	return (
		<FormSection
			number={2}
			title="Template"
			done={template !== undefined && slots.every(({ key }) => variables[key]?.trim())}
		>
			<Select
				label="Template"
				placeholder={templates ? 'Choose an approved template' : hasFailed ? 'Not available' : 'Loading...'}
				disabled={hasFailed}
				required
				searchable
				nothingFoundMessage="No template of this name"
				maxDropdownHeight={320}
				data={options(templates ?? [])}
				renderOption={({ option }) => <Option template={templates?.find(({ _id }) => _id === option.value)} />}
				{...form.getInputProps('templateId')}
				value={form.values.templateId || null}
				onChange={choose}
			/>
			{hasFailed && (
				<p className={styles.quiet} role="status">
					Your templates could not be loaded.{' '}
					<Anchor
						component="button"
						type="button"
						underline="always"
						disabled={list.isFetching}
						onClick={() => void list.refetch()}
					>
						Try again
					</Anchor>
				</p>
			)}
			{templates && !templates.some(isApproved) && (
				<p className={styles.quiet}>
					No template is approved yet.{' '}
					<Anchor component={Link} to={templatePaths.list} underline="always">
						Look at your templates
					</Anchor>
				</p>
			)}
			{template &&
				slots.map((slot) => (
					<VariableInput
						key={slot.key}
						label={slotLabel(slot, template.components)}
						value={variables[slot.key] ?? ''}
						onChange={(value) => form.setFieldValue(`variables.${slot.key}`, value)}
						inputProps={form.getInputProps(`variables.${slot.key}`)}
					/>
				))}
		</FormSection>
	)
}

export function isApproved({ status }: TemplateRow): boolean {
	return status === 'APPROVED'
}

/** Those that can be sent come first. */
function options(templates: readonly TemplateRow[]): ComboboxItem[] {
	return templates
		.toSorted((a, b) => Number(isApproved(b)) - Number(isApproved(a)) || a.name.localeCompare(b.name))
		.map((template) => ({
			value: template._id,
			label: `${template.name} (${template.language})`,
			disabled: !isApproved(template),
		}))
}

function Option({ template }: { template: TemplateRow | undefined }) {
	if (!template) return null
	return (
		<div className={styles.option}>
			<span>
				{template.name} ({template.language})<small>{template.category}</small>
			</span>
			{!isApproved(template) && <TemplateStatusBadge status={template.status} />}
		</div>
	)
}
