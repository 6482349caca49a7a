import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { TemplateRow } from '#features/templates/contract.ts'
import { duplicateTemplatePath } from '#features/templates/paths.ts'
import { RowButton } from '#lib/web/ui/table/row-button.tsx'

interface DuplicateButtonProps {
	template: TemplateRow
	icon: ReactNode
}

export function DuplicateButton({ template: { _id, name }, icon }: DuplicateButtonProps) {
	const navigate = useNavigate()
	return <RowButton label={`Duplicate ${name}`} icon={icon} onClick={() => navigate(duplicateTemplatePath(_id))} />
}
