import type { ReactNode } from 'react'
import { useMay } from '#features/auth/web/parts.tsx'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPath } from '#features/campaigns/paths.ts'
import { Link } from '#lib/web/router/link.tsx'

interface CampaignLinkProps {
	id: string
	className?: string | undefined
	children: ReactNode
}

/** Renders a link to a campaign's report; for agents, who open no reports, its text. */
export function CampaignLink({ id, ...rest }: CampaignLinkProps) {
	const mayOpen = useMay(campaigns.get.access)
	return mayOpen ? <Link to={campaignPath(id)} {...rest} /> : <span {...rest} />
}
