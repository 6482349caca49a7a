import { useQuery } from '@tanstack/react-query'
import { call } from '#lib/web/api.ts'
import { templates, type TemplateRow } from '../contract.ts'

export interface ShownFile {
	/** An address of the file inside this page. */
	url: string
	name: string
}

/**
 * The file of a template's header. It is fetched with the token, as an address in an `img` would come without one, and
 * kept as long as the page lives, as an address once given must stay good.
 */
export function useHeaderFile(template: Pick<TemplateRow, '_id' | 'mediaUrl'> | undefined): ShownFile | null {
	const id = template?.mediaUrl ? template._id : ''
	const { data } = useQuery({
		queryKey: [templates.headerFile.path, id],
		queryFn: async ({ signal }): Promise<ShownFile> => {
			const file = await call(templates.headerFile, { params: { id }, signal })
			return { url: URL.createObjectURL(file), name: file.name }
		},
		enabled: id !== '',
		retry: false,
		staleTime: Infinity,
		gcTime: Infinity,
	})
	return data ?? null
}
