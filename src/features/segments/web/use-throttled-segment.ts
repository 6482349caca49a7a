import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { campaigns, type CampaignDetail } from '#features/campaigns/contract.ts'
import { cutTo } from '#lib/text/characters.ts'
import { query } from '#lib/web/query.ts'
import { useSearchParams } from '#lib/web/router/hooks.ts'
import type { EditedSegment } from './segment-dialog.tsx'

const MAX_NAME_LENGTH = 100
const SUFFIX = ': held back'

/**
 * Opens a new segment of the people whose messages of a campaign were throttled. The parameter `heldBack` of the address names
 * the campaign. Returns the query that reads it.
 */
export function useThrottledSegment(open: (segment: EditedSegment) => void) {
	const [search, setSearch] = useSearchParams()
	const id = search.get('heldBack')
	const reading = useQuery({ ...query(campaigns.get, { params: { id: id ?? '' } }), enabled: id !== null })
	const campaign = id === null ? undefined : reading.data?.campaign
	const openFor = useEffectEvent((of: CampaignDetail) => {
		open(segmentOf(of))
		setSearch({}, { replace: true })
	})
	useEffect(() => {
		if (campaign) openFor(campaign)
	}, [campaign])
	return reading
}

function segmentOf({ _id, name }: Pick<CampaignDetail, '_id' | 'name'>): EditedSegment {
	return {
		name: cutTo(name, MAX_NAME_LENGTH - SUFFIX.length) + SUFFIX,
		match: 'all',
		rules: [{ kind: 'throttled', is: true, campaign: _id }],
	}
}
