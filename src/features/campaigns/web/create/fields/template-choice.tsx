import { Anchor } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import type { TemplateRow } from '#features/templates/contract.ts'
import { templatePaths, templateSearchPath } from '#features/templates/paths.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { WaitingTemplate } from '../steps/first-step.tsx'
import { useTemplateOptions } from '../use-templates.ts'
import type { CampaignFields } from './campaign-fields.ts'

// The list loads late, because it is half of the form's code.
const TemplateSelect = latePart(
	() => import('./template-select.tsx').then((module) => module.TemplateSelect),
	WaitingTemplate,
)

interface TemplateChoiceProps {
	form: UseFormReturnType<CampaignFields>
	template: TemplateRow | undefined
	/** Number of templates that can be sent; undefined until known, null when the call failed. */
	count: number | null | undefined
}

export function TemplateChoice({ form, template, count }: TemplateChoiceProps) {
	const [search, setSearch] = useState('')
	const list = useTemplateOptions(search)
	return (
		<>
			<TemplateSelect {...{ form, template, list }} onSearch={setSearch} />
			{count === 0 && (
				<p className="quiet">
					You have no approved template yet.{' '}
					<Anchor component={Link} to={templatePaths.list} inherit underline="always">
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
		</>
	)
}
