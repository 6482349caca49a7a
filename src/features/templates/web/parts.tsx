import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { ToneBadge, type Tone } from '#lib/web/ui/value/tone-badge.tsx'
import { type Component, type TemplateRow, templates } from '../contract.ts'
import { PhoneFrame } from './phone/phone-frame.tsx'
import type { ShownFile } from './phone/phone-header.tsx'

export type { ShownFile } from './phone/phone-header.tsx'

/** Addresses of our copies of a template's files; `cardMediaUrls` is absent where cards cannot occur. */
type TemplateFiles = Pick<TemplateRow, '_id' | 'mediaUrl'> & Partial<Pick<TemplateRow, 'cardMediaUrls'>>

interface TemplatePreviewProps {
	/** Components to show, with variables filled in or with placeholders. */
	components: readonly Component[]
	/** Template whose header file is shown; left out, a placeholder is drawn. */
	template?: TemplateFiles | undefined
	/** Chosen file that is not uploaded yet, shown instead of the template's; null without one. */
	file?: ShownFile | null
	/** Files of the cards in a form, in order; left out, those of the template. */
	cards?: readonly CardFile[]
	/** Content below the phone. */
	children?: ReactNode
}

interface CardFile {
	/** Chosen file that is not uploaded yet; null without one. */
	chosen: ShownFile | null
	/** Position, from 1, of the template's card whose file is shown without a chosen one; 0 for none. */
	keptOf: number
}

/** Shows a template on a customer's phone, under the name and picture of the account's business. */
export function TemplatePreview({ components, template, file: chosen = null, cards, children }: TemplatePreviewProps) {
	const profile = useQuery({ ...query(templates.profile), retry: false, staleTime: 300_000 })
	const kept = useHeaderFile(template)
	const keptCards = useCardFiles(template)
	const cardFiles = cards?.map((card) => card.chosen ?? keptCards[card.keptOf - 1] ?? null) ?? keptCards
	return (
		<PhoneFrame
			businessName={
				profile.isPending ? '' : profile.data?.verifiedName || profile.data?.businessName || 'Your Business'
			}
			pictureUrl={profile.data?.profilePictureUrl ?? null}
			components={components}
			files={{ header: chosen ?? kept, cards: cardFiles }}
		>
			{children}
		</PhoneFrame>
	)
}

/** Returns the file of a template's header; null without one, or while loading. */
export function useHeaderFile(template: TemplateFiles | undefined): ShownFile | null {
	return useQuery(fileQuery(template, null)).data ?? null
}

/** Returns the files of a template's cards, in their order; null for one without a file, or while loading. */
function useCardFiles(template: TemplateFiles | undefined): (ShownFile | null)[] {
	const queries = (template?.cardMediaUrls ?? []).map((_, card) => fileQuery(template, card))
	return useQueries({ queries, combine: (results) => results.map(({ data }) => data ?? null) })
}

/**
 * Returns the query of the file of a template's header, or of its card at this index. The file is fetched with the
 * token, which an `img` address would lack, and cached while the page lives, because its object URL must remain valid.
 */
function fileQuery(template: TemplateFiles | undefined, card: number | null) {
	const url = card === null ? template?.mediaUrl : template?.cardMediaUrls?.[card]
	const id = url ? (template?._id ?? '') : ''
	return queryOptions({
		queryKey: [templates.headerFile.path, id, card],
		queryFn: async ({ signal }): Promise<ShownFile> => {
			const search = card === null ? {} : { card: String(card + 1) }
			const file = await call(templates.headerFile, { params: { id }, query: search, signal })
			return { url: URL.createObjectURL(file), name: file.name }
		},
		enabled: id !== '',
		retry: false,
		staleTime: Infinity,
		gcTime: Infinity,
	})
}

const STATUS_TONES: Record<string, Tone> = { APPROVED: 'ok', PENDING: 'warn', REJECTED: 'error' }
const QUALITY_TONES: Record<string, Tone> = { HIGH: 'ok', MEDIUM: 'warn', LOW: 'error' }

/** Renders the badge of a template's status. Meta has further statuses and adds new ones; all others are neutral. */
export function TemplateStatusBadge({ status }: { status: string }) {
	return <ToneBadge tone={STATUS_TONES[status] ?? 'neutral'} label={status.replaceAll('_', ' ')} isCode />
}

interface Rated {
	status: string
	quality: string | null
}

/** Renders the badge of a template's quality, which WhatsApp rates after the first campaigns. */
export function QualityBadge({ of: { status, quality } }: { of: Rated }) {
	const isUnsent = status === 'PENDING' || status === 'REJECTED'
	if (isUnsent || quality === null || quality === 'UNKNOWN') return <span className="quiet">Not rated yet</span>
	return <ToneBadge tone={QUALITY_TONES[quality] ?? 'neutral'} label={quality} isCode />
}
