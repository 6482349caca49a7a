import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { isMissing } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { useSearchParams } from '#lib/web/router/hooks.ts'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Missing } from '#lib/web/ui/feedback/missing.tsx'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { templateError } from '../template-errors.ts'
import { duplicateOf } from './duplicate.ts'
import { EMPTY_TEMPLATE } from './template-fields.ts'
import { TemplateForm } from './template-form.tsx'

/** Renders the form for a new template; `?from=12` in the URL prefills it from template 12. */
export function CreateTemplate() {
	const [search] = useSearchParams()
	const from = search.get('from')
	return (
		<>
			<PageHeader
				title="Create Template"
				hint="WhatsApp reviews each template before it can be sent, usually within minutes."
			/>
			{from ? <Duplicate key={from} id={from} /> : <OpenForm key="new" original={null} />}
		</>
	)
}

function Duplicate({ id }: { id: string }) {
	const original = useQuery({ ...query(templates.get, { params: { id } }), staleTime: Infinity })
	const isLate = useDelayed(original.isPending)
	if (original.data) return <OpenForm original={original.data} />
	if (!original.error) return isLate ? <FormSkeleton /> : null
	if (isMissing(original.error))
		return <Missing title="Template not found" to={templatePaths.list} name="Manage Templates" />
	return <LoadError message={templateError(original.error, 'Failed to view template')} reading={original} />
}

function OpenForm({ original }: { original: TemplateRow | null }) {
	const [initial] = useState(() => (original ? duplicateOf(original) : EMPTY_TEMPLATE))
	return <TemplateForm initial={initial} original={original} />
}

/** Renders a placeholder as high as the form's first sections, so that the page does not jump. */
function FormSkeleton() {
	return (
		<div className="columns" role="status" aria-label="Loading the template">
			<div className="stack">
				<Skeleton height={320} />
				<Skeleton height={140} />
				<Skeleton height={280} />
			</div>
			<Skeleton height={480} />
		</div>
	)
}
