import { templates, type TemplateRow } from '../contract.ts'
import { needsHeaderFile } from './header-file.ts'
import type { Template } from './queries.ts'

export function presentTemplate({ id, templateId, headerFile, goneAt, createdAt, ...template }: Template): TemplateRow {
	return {
		...template,
		_id: String(id),
		template_id: templateId,
		mediaUrl: headerFile ? templates.headerFile.path.replace('{id}', String(id)) : null,
		isGone: goneAt !== null,
		needsHeaderFile: needsHeaderFile({ ...template, headerFile }),
		createdAt: createdAt.toISOString(),
	}
}
